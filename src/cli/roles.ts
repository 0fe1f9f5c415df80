/** `recourse serve|work|all`: this process becomes a server, a worker or both, until it is told to stop. */
import { enableCompileCache } from "node:module";
import type { Role } from "../configuration.ts";
import { type Command, readArguments } from "./command.ts";

const command = (name: Role, summary: string, help: string): Command => ({
  name,
  summary,
  help: `Usage: recourse ${name}\n\n${help}`,
  async run(args) {
    readArguments(name, args, {});
    enableCompileCache();
    const { run } = await import("../process.ts");
    await run(name);
    // Signals end the process, after what is in hand.
    return new Promise(() => {});
  },
});

const SHARED =
  "Any number of each may run on one PostgreSQL server (DATABASE_URL); the embedded database has one process, which does all.";

export const ROLE_COMMANDS: readonly Command[] = [
  command("all", "Run the server and its worker in one process, as `npm start` does", SHARED),
  command(
    "serve",
    "Run a process that takes requests and mail, and leaves the work to workers",
    `HTTP, WebSocket, SSE, webhooks and mail in. ${SHARED}`,
  ),
  command(
    "work",
    "Run a process that works on what servers accepted",
    `Runs, actions, sweeps, the index and mail out. It answers /healthz and /readyz only, on PORT or any free port. ${SHARED}`,
  ),
];

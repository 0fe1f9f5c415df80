/** The process: reads the configuration, starts the server, says what runs where, stops on a signal. */
import pino from "pino";
import { demoOperatorToken, loadConfiguration, type Role } from "./configuration.ts";
import { collectAfterStart } from "./garbage.ts";
import { ProblemError } from "./kernel/errors.ts";
import { systemClock } from "./kernel/ports.ts";
import { createLog } from "./log.ts";
import { openDatabase } from "./store/open.ts";
import { RECOURSE_VERSION } from "./version.ts";

/** Second signal, or a stop that hangs: the process ends all the same; leases and rows say what was in hand. */
const EXIT_ANYWAY_MS = 20_000;

async function main(role: Role | undefined): Promise<void> {
  const env = role === undefined ? process.env : { ...process.env, RECOURSE_ROLE: role };
  const configuration = loadConfiguration(env, process.cwd());
  const log = createLog(configuration.logLevel, pino.destination(2));
  for (const warning of configuration.warnings) log.warn(warning);
  const say = (text: string) => process.stdout.write(`${text}\n`);
  say(`Recourse ${RECOURSE_VERSION} is starting …`);
  // The database opens while the rest of the product is loaded.
  const opening = openDatabase(configuration, systemClock);
  const { startServer } = await import("./server.ts");
  const server = await startServer(configuration, log, opening);
  say(`
  ${
    configuration.role === "work"
      ? `Worker       ${server.url}/readyz   (takes no requests)`
      : `API          ${server.url}   (docs: ${server.url}/docs)`
  }
  Data         ${configuration.databaseUrl === null ? configuration.dataDir : "PostgreSQL"}${
    server.sandboxUrl === null
      ? ""
      : `\n  Sandbox      ${server.sandboxUrl}   (a shop and a payment provider, for trying)`
  }${
    server.mailPort === null
      ? ""
      : `\n  Mail         smtp://${configuration.host}:${server.mailPort}   (customers' mail comes in here)`
  }`);
  if (configuration.demo && configuration.role !== "work") {
    say(`
  Try it in another terminal:
    npm run recourse -- chat --as ada        a customer with order #1042
    npm run recourse -- reviews              what waits for a person (token ${demoOperatorToken("northwind")})
    ${server.url}/shop${" ".repeat(Math.max(1, 36 - server.url.length))}a shop with the chat widget
    ${server.url}/console${" ".repeat(Math.max(1, 33 - server.url.length))}where operators decide
    ${server.url}/sign-in${" ".repeat(Math.max(1, 33 - server.url.length))}become an operator with one click
    npm run demo                             fourteen scenes that try to make it do or say something wrong
`);
  }
  if (server.setupCode !== null) {
    say(`
  Nobody works here yet. Make yourself the first admin:
    ${configuration.publicUrl ?? server.url}/setup
    code ${server.setupCode}   (new at each start; it works once)
`);
  }
  say("Ready. Ctrl-C stops it.");
  collectAfterStart(systemClock);

  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    say("Stopping: what is in hand is finished first …");
    systemClock.after(EXIT_ANYWAY_MS, () => process.exit(1));
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught");
    process.exit(70);
  });
}

/**
 * Never throws: what goes wrong while starting is said, with what to do, and ends the process with 1.
 * @param role what this process does, when a command named it; it goes before the environment
 */
export async function run(role?: Role): Promise<void> {
  await main(role).catch((error: unknown) => {
    if (error instanceof ProblemError)
      process.stderr.write(`✗ ${error.message}\n  → ${error.next}\n  (${error.code})\n`);
    else process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
    process.exit(1);
  });
}

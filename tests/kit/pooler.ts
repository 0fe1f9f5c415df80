/** PgBouncer in front of the lane's PostgreSQL server, in the mode that gives each transaction any connection. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../bench/processes.ts";
import { systemClock } from "../../src/kernel/ports.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
const READY_MS = 10_000;

export interface Pooler {
  /** As `url`, through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPooler(url: string): Promise<Pooler> {
  if (!existsSync(PROGRAM)) throw new Error("PgBouncer is missing: `apt-get install pgbouncer`");
  const server = new URL(url);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "recourse-pooler-"));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "users"), `"${server.username}" ""\n`);
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "users")}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`,
  );
  const isRoot = process.getuid?.() === 0;
  const child = spawn(PROGRAM, ["-q", ...(isRoot ? ["-u", "postgres"] : []), join(folder, "pgbouncer.ini")], {
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  const endMs = performance.now() + READY_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > endMs) throw new Error("PgBouncer does not answer");
    await systemClock.sleep(20);
  }
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    async stop() {
      child.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

/**
 * The demo's stage: the real server, the sandbox and the scripted model as child processes on free ports,
 * with a data folder of their own that is gone afterwards. The sandbox is a process of its own so that the
 * provider goes on when the server is killed, and the model so that it can be away.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BoundaryName, Clock } from "../../kernel/ports.ts";
import { CliError, EXIT } from "../command.ts";

export interface Stage {
  readonly serverUrl: string;
  readonly sandboxUrl: string;
  /** Of the scripted language model, which runs from the start. */
  readonly modelUrl: string;
  /** Where the server takes mail. */
  readonly smtpPort: number;
  startModel(): Promise<void>;
  stopModel(): Promise<void>;
  /** Starts the server and resolves once it is ready. */
  startServer(how?: { crashAt: BoundaryName }): Promise<void>;
  /** Resolves with how the server's process ended, when it does by itself. */
  serverEnded(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Asks the server to stop and waits. */
  stopServer(): Promise<void>;
  /** The last lines that the processes wrote, for finding out what went wrong. */
  logTail(): string;
  /** Ends everything and removes the folder. Never throws. */
  strike(): Promise<void>;
}

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const SANDBOX = fileURLToPath(new URL("../../../sandbox/main.ts", import.meta.url));
const MODEL = fileURLToPath(new URL("../../../sandbox/model/main.ts", import.meta.url));
const READY_MS = 30_000;
const STOP_MS = 5_000;
const POLL_MS = 40;
/** Shorter than in production, so that a timeout is soon over. */
const PAYMENT_TIMEOUT_MS = 1_500;

interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export async function setStage(parts: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<Stage> {
  const { clock, signal } = parts;
  const folder = mkdtempSync(join(tmpdir(), "recourse-demo-"));
  const logFile = join(folder, "log.txt");
  const log = createWriteStream(logFile, { flags: "a" });
  // A full disk must not end the demo before it has cleaned up.
  log.on("error", () => {});
  const children = new Set<Child>();
  let server: Child | undefined;

  // Whatever ends this process: no child and no folder stays behind.
  const lastResort = () => {
    for (const child of children) child.process.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.on("exit", lastResort);

  const launch = (script: string, env: Record<string, string>): Child => {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script], {
      cwd: folder,
      env: { ...ownEnvironment(parts.env), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    const launched: Child = {
      process: child,
      ended: new Promise((resolve) => {
        child.once("exit", (code, by) => {
          children.delete(launched);
          resolve({ code, signal: by });
        });
        child.once("error", () => {
          children.delete(launched);
          resolve({ code: null, signal: null });
        });
      }),
    };
    children.add(launched);
    return launched;
  };

  const ready = async (
    child: Child,
    url: string,
    what: string,
    isReady: (status: number) => boolean = (status) => status === 200,
  ): Promise<void> => {
    const giveUpMs = clock.now() + READY_MS;
    let ended = false;
    child.ended.then(() => {
      ended = true;
    });
    while (clock.now() < giveUpMs) {
      if (signal.aborted) throw signal.reason;
      if (ended) throw new CliError(`${what} ended before it was ready.`, `It wrote:\n${tailOf(logFile)}`);
      const answer = await fetch(url, { signal }).catch(() => null);
      await answer?.arrayBuffer().catch(() => {});
      if (answer !== null && isReady(answer.status)) return;
      await clock.sleep(POLL_MS, signal);
    }
    throw new CliError(
      `${what} was not ready within ${READY_MS / 1_000} seconds.`,
      `It wrote:\n${tailOf(logFile)}`,
    );
  };

  const end = async (child: Child): Promise<void> => {
    child.process.kill("SIGTERM");
    const patience = new AbortController();
    await Promise.race([child.ended, clock.sleep(STOP_MS, patience.signal)]);
    patience.abort();
    child.process.kill("SIGKILL");
    await child.ended;
  };

  const strike = async (): Promise<void> => {
    await Promise.all([...children].map(end));
    log.destroy();
    process.off("exit", lastResort);
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // A folder of the system's temporary folder: it is cleaned up there.
    }
  };

  try {
    const [port, sandboxPort, modelPort, smtpPort] = await freePorts(4);
    const serverUrl = `http://127.0.0.1:${port}`;
    const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
    const modelUrl = `http://127.0.0.1:${modelPort}`;
    let model: Child | undefined;
    const startModel = async (): Promise<void> => {
      model = launch(MODEL, { RECOURSE_SANDBOX_MODEL_PORT: String(modelPort) });
      await ready(model, `${modelUrl}/v1/models`, "The scripted model");
    };
    const sandbox = launch(SANDBOX, {
      RECOURSE_SANDBOX_PORT: String(sandboxPort),
      RECOURSE_DATA_DIR: join(folder, "provider"),
    });
    await Promise.all([
      // Any answer will do: without a key it refuses, and lives.
      ready(sandbox, `${sandboxUrl}/v1/charges`, "The sandbox", (status) => status === 401),
      startModel(),
    ]);
    return {
      serverUrl,
      sandboxUrl,
      modelUrl,
      smtpPort: Number(smtpPort),
      startModel,
      async stopModel() {
        if (model !== undefined) await end(model);
        model = undefined;
      },
      async startServer(how) {
        const started = launch(MAIN, {
          PORT: String(port),
          HOST: "127.0.0.1",
          RECOURSE_SANDBOX: sandboxUrl,
          RECOURSE_DATA_DIR: join(folder, "data"),
          RECOURSE_DEMO: "on",
          RECOURSE_SMTP_PORT: String(smtpPort),
          RECOURSE_PAYMENT_TIMEOUT_MS: String(PAYMENT_TIMEOUT_MS),
          RECOURSE_LOG_LEVEL: "warn",
          RECOURSE_MODEL: "compatible/scripted",
          RECOURSE_MODEL_URL: `${modelUrl}/v1`,
          ...(how === undefined ? {} : { RECOURSE_CRASH_AT: how.crashAt }),
        });
        server = started;
        await ready(started, `${serverUrl}/readyz`, "The server");
      },
      serverEnded: () => server?.ended ?? Promise.resolve({ code: null, signal: null }),
      async stopServer() {
        if (server !== undefined) await end(server);
        server = undefined;
      },
      logTail: () => tailOf(logFile),
      strike,
    };
  } catch (error) {
    await strike();
    throw error;
  }
}

/** The environment without anything of a real set-up: the demo must not touch it. */
export function ownEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        !/^(RECOURSE_|STRIPE_|OPENAI_|ANTHROPIC_|DATABASE_URL$|PG|PORT$|HOST$|NODE_OPTIONS$)/.test(entry[0]),
    ),
  );
}

function tailOf(file: string): string {
  try {
    return readFileSync(file, "utf8").trimEnd().split("\n").slice(-15).join("\n");
  } catch {
    return "(nothing)";
  }
}

/** Ports that were free a moment ago. */
async function freePorts(count: number): Promise<number[]> {
  const listeners = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const listener = createServer();
          listener.once("error", (cause) =>
            reject(new CliError("No port of this machine can be opened.", "", EXIT.no, cause)),
          );
          listener.listen(0, "127.0.0.1", () => resolve(listener));
        }),
    ),
  );
  return Promise.all(
    listeners.map(
      (listener) =>
        new Promise<number>((resolve) => {
          const address = listener.address();
          listener.close(() => resolve(address !== null && typeof address === "object" ? address.port : 0));
        }),
    ),
  );
}

/** The processes of a load: the sandbox, servers and workers, each with its memory over time. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type Running, start, stop } from "../processes.ts";
import { now, PATIENCE_MS, pause } from "./customers.ts";
import { TRUSTED_SERVER } from "./mail.ts";

const MIB = 2 ** 20;
const SAMPLE_MS = 2_000;

export interface MemorySample {
  /** Since the fleet stood. */
  readonly atMs: number;
  readonly mib: number;
}

/** A place in the fleet; the process in it may be another one after a while. */
export interface Member {
  readonly name: string;
  running: Running;
  /** Of the process that is there now: the samples of one that is gone go with it. */
  memory: MemorySample[];
  peakMib: number;
  starts: number;
}

export interface Fleet {
  readonly url: string;
  readonly smtpPort: number;
  readonly lmtpPort: number;
  readonly sandboxUrl: string;
  readonly folder: string;
  readonly members: readonly Member[];
  readonly workers: readonly Member[];
  /** Processes that ended although nobody ended them, with their last words. */
  readonly deaths: readonly string[];
  /** SIGKILL, and another one in its place. Resolves when that one works. */
  replace(member: Member): Promise<void>;
  stop(): Promise<void>;
}

export async function startFleet(options: {
  readonly databaseUrl: string;
  readonly workers: number;
  readonly crowd: number;
  readonly mailboxPort: number;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), "recourse-load-"));
  const members: Member[] = [];
  const sandboxPort = await freePort();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const [port, smtpPort, lmtpPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const launch = (role: "serve" | "work"): Promise<Running> =>
    start(
      "src/main.ts",
      {
        PORT: role === "serve" ? String(port) : "0",
        DATABASE_URL: options.databaseUrl,
        RECOURSE_ROLE: role,
        RECOURSE_DATA_DIR: folder,
        RECOURSE_SANDBOX: sandboxUrl,
        RECOURSE_PUBLIC_URL: url,
        RECOURSE_LOG_LEVEL: "error",
        RECOURSE_SMTP_PORT: role === "serve" ? String(smtpPort) : "0",
        RECOURSE_LMTP_PORT: String(lmtpPort),
        RECOURSE_MAIL_URL: `smtp://127.0.0.1:${options.mailboxPort}`,
        RECOURSE_MAIL_TRUSTED_SERVER: TRUSTED_SERVER,
        ...options.env,
      },
      /^Ready\./m,
    );
  const deaths: string[] = [];
  let isStopping = false;
  /** A process that ends although nobody ended it is a finding of its own. */
  const watch = (name: string, running: Running): void => {
    void running.exited.then(({ code, signal }) => {
      if (isStopping || signal === "SIGKILL") return;
      deaths.push(`${name} ended by itself (${code ?? signal}):\n${running.output().slice(-3_000)}`);
    });
  };
  const add = async (name: string, running: Promise<Running>): Promise<Member> => {
    const member = { name, running: await running, memory: [], peakMib: 0, starts: 1 };
    members.push(member);
    watch(name, member.running);
    return member;
  };
  const workers: Member[] = [];
  const startedMs = now();
  const sampler = setInterval(() => {
    for (const member of members) {
      const mib = memoryMib(member.running);
      if (mib === null) continue;
      member.memory.push({ atMs: now() - startedMs, mib });
      member.peakMib = Math.max(member.peakMib, mib);
    }
  }, SAMPLE_MS);
  const stopAll = async () => {
    clearInterval(sampler);
    isStopping = true;
    // Those that ask first, those that are asked last.
    for (const member of members.toReversed()) await stop(member.running);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const env = {
      RECOURSE_SANDBOX_PORT: String(sandboxPort),
      RECOURSE_DATA_DIR: folder,
      RECOURSE_SANDBOX_CROWD: String(options.crowd),
    };
    await add("sandbox", start("sandbox/main.ts", env, /^sandbox ready/m));
    await add("server", launch("serve"));
    for (let n = 1; n <= options.workers; n += 1) workers.push(await add(`worker ${n}`, launch("work")));
  } catch (error) {
    await stopAll();
    throw error;
  }
  return {
    url,
    smtpPort,
    lmtpPort,
    sandboxUrl,
    folder,
    members,
    workers,
    deaths,
    async replace(member) {
      member.running.child.kill("SIGKILL");
      await member.running.exited;
      // The database may be away just now, and the machine busy.
      const endMs = now() + PATIENCE_MS;
      for (let isThere = false; !isThere; ) {
        try {
          member.running = await launch("work");
          isThere = true;
        } catch (error) {
          if (now() > endMs) throw error;
          await pause(1_000);
        }
      }
      watch(member.name, member.running);
      member.memory = [];
      member.starts += 1;
    },
    stop: stopAll,
  };
}

/** Null when the process is gone. */
function memoryMib({ child }: Running): number | null {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024) / MIB;
  } catch {
    return null;
  }
}

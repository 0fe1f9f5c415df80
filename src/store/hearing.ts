/**
 * Whether LISTEN is of use over a connection, and what stands in for it where it is not. A pooler that gives each
 * transaction any connection takes LISTEN without an error, and nothing is ever heard.
 */
import pg from "pg";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock } from "../kernel/ports.ts";

/**
 * True where notices come through. A server's own connection says the process that serves it; with a pooler in between the
 * two numbers differ, and one notice is sent to see. False as well when nothing answers: whoever polls misses nothing.
 */
export async function canListen(listenUrl: string, sendUrl: string, clock: Clock): Promise<boolean> {
  const listener = new pg.Client({ connectionString: listenUrl, application_name: "recourse-listen" });
  const sender = new pg.Client({ connectionString: sendUrl, application_name: "recourse-listen" });
  for (const client of [listener, sender]) client.on("error", () => {});
  try {
    await listener.connect();
    const { rows } = await listener.query("select pg_backend_pid() as pid");
    const { processID } = listener as unknown as { processID: number };
    if (rows[0]?.pid === processID) return true;
    const channel = `recourse_echo_${rows[0]?.pid}_${processID}`;
    const echo = new Promise<true>((resolve) => listener.once("notification", () => resolve(true)));
    await listener.query(`listen ${channel}`);
    await sender.connect();
    await sender.query("select pg_notify($1, '')", [channel]);
    let cancel = () => {};
    const silence = new Promise<false>((resolve) => {
      cancel = clock.after(LIMITS.echoMs, () => resolve(false));
    });
    const isHeard = await Promise.race([echo, silence]);
    cancel();
    return isHeard;
  } catch {
    return false;
  } finally {
    await Promise.all([listener.end().catch(() => {}), sender.end().catch(() => {})]);
  }
}

/** Instead of notices: says now and then that something may have been missed, until the answer is called. */
export function askNowAndThen(clock: Clock, onGap: () => void = () => {}): () => Promise<void> {
  let cancel = () => {};
  const next = (): void => {
    cancel = clock.after(LIMITS.askInsteadMs, () => {
      onGap();
      next();
    });
  };
  next();
  return async () => cancel();
}

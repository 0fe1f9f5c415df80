/**
 * What a process keeps of the database, in step with it: read before anything else, again as soon as another process says
 * that it changed, and now and then, should a notice be lost.
 */
import type { Clock } from "../kernel/ports.ts";
import type { Database } from "./database.ts";

/** Resolves once all was read; the answer ends the keeping. `refresh` gets a notice's payload, or null for all there is. */
export async function keepFresh(parts: {
  readonly database: Database;
  readonly clock: Clock;
  readonly channel: string;
  readonly everyMs: number;
  readonly refresh: (payload: string | null) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}): Promise<() => Promise<void>> {
  const { database, clock, channel, everyMs, refresh, onError } = parts;
  await refresh(null);
  let isStopped = false;
  const quietly = (payload: string | null) =>
    refresh(payload).catch((error: unknown) => (isStopped ? undefined : onError(error)));
  const unlisten = await database.listen(channel, (payload) => void quietly(payload));
  let cancel = () => {};
  const again = (): void => {
    cancel = clock.after(everyMs, () => {
      void quietly(null).then(() => (isStopped ? undefined : again()));
    });
  };
  again();
  return async () => {
    isStopped = true;
    cancel();
    await unlisten();
  };
}

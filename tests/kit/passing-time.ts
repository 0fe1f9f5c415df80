/** Lets virtual time pass while something waits for it: pauses between retries, time-outs. */
import { turns, type VirtualClock } from "./virtual-clock.ts";

export async function whileTimePasses<T>(clock: VirtualClock, work: Promise<T>, stepMs = 20): Promise<T> {
  let settled = false;
  const watched = work.finally(() => {
    settled = true;
  });
  watched.catch(() => {});
  while (!settled) {
    await clock.advance(stepMs);
    await turns();
  }
  return watched;
}

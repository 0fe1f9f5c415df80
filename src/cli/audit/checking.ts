/** Checks an export's lines: every entry's hash, every link, and the checkpoints that were kept elsewhere. */

import {
  type AuditRow,
  CHAIN_START,
  type ChainPosition,
  firstBrokenAmongSome,
  firstBrokenLink,
} from "../../evidence/chain.ts";
import { type AuditCheckpoint, checkpointFault } from "../../evidence/checkpoints.ts";

/** A line longer than any entry is not of an export of ours. */
const LINE_CHARS_MAX = 4_000_000;
/** Entries checked at once: bounds memory for a chain of any length. */
const BATCH = 1_000;

export interface ChainReport {
  /** Entries that hold. */
  readonly entries: number;
  /** Hash of the last of them: kept elsewhere, it shows later whether the end was cut off. */
  readonly head: string;
  /** Number of the last of them. */
  readonly last: number;
  /** Null when every link holds. `line` counts from 1. */
  readonly broken: { readonly n: number; readonly line: number; readonly why: string } | null;
}

/**
 * Checks lines from the first entry on; stops at the first broken link.
 * @param some the lines are a part of a log: entries may be missing between them
 * @param see is shown each entry that was read, before it is checked
 */
export async function checkChain(
  lines: AsyncIterable<string> | Iterable<string>,
  { some = false, see = () => {} }: { readonly some?: boolean; readonly see?: (row: AuditRow) => void } = {},
): Promise<ChainReport> {
  let checked: ChainPosition = { n: 0, hash: CHAIN_START };
  let entries = 0;
  let batch: { row: AuditRow; line: number }[] = [];
  let line = 0;

  /** Null when the batch holds. */
  const check = (): ChainReport | null => {
    const rows = batch.map(({ row }) => row);
    const broken = some
      ? firstBrokenAmongSome(rows, entries === 0 ? null : checked)
      : firstBrokenLink(rows, checked);
    if (broken !== null) {
      const found = some ? batch.findIndex(({ row }) => row.n === broken.n) : broken.n - checked.n - 1;
      const before = batch[found - 1]?.row ?? checked;
      return {
        entries: entries + found,
        head: before.hash,
        last: before.n,
        broken: { ...broken, line: batch[found]?.line ?? line },
      };
    }
    entries += batch.length;
    checked = batch.at(-1)?.row ?? checked;
    batch = [];
    return null;
  };
  const report = (broken: ChainReport["broken"]): ChainReport => ({
    entries,
    head: checked.hash,
    last: checked.n,
    broken,
  });

  for await (const text of lines) {
    line += 1;
    if (text.trim() === "") continue;
    const row = text.length > LINE_CHARS_MAX ? null : rowOf(text);
    if (row === null) {
      const earlier = check();
      if (earlier !== null) return earlier;
      const why = "this line is no entry: JSON with n, at_ms, kind, subject, body, prev_hash and hash";
      return report({ n: checked.n + 1, line, why });
    }
    see(row);
    batch.push({ row, line });
    const broken = batch.length < BATCH ? null : check();
    if (broken !== null) return broken;
  }
  return check() ?? report(null);
}

/** Looks, while a chain is read, for the entries that checkpoints name. */
export function watchCheckpoints(checkpoints: readonly AuditCheckpoint[], key: string | undefined) {
  const found = new Map<number, string>([[0, CHAIN_START]]);
  const wanted = new Set(checkpoints.map(({ n }) => n));
  return {
    see(row: AuditRow): void {
      if (wanted.has(row.n)) found.set(row.n, row.hash);
    },
    /** What does not fit, one sentence each, after all was read. */
    faults(last: number): readonly string[] {
      return checkpoints.flatMap((checkpoint) => {
        const { n, hash, at } = checkpoint;
        const fault = checkpointFault(checkpoint, key);
        if (fault !== null) return [`The checkpoint of ${at} is not to be believed: ${fault}.`];
        const seen = found.get(n);
        if (seen === undefined) {
          return [`The end was cut off: at ${at} there were ${n} entries, and the last one here is ${last}.`];
        }
        return seen === hash
          ? []
          : [
              `Entry ${n} is another one than at ${at}: the log was written anew, from there or from before it.`,
            ];
      });
    },
  };
}

function rowOf(text: string): AuditRow | null {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
  if (value === null || typeof value !== "object") return null;
  const texts = ["kind", "subject", "prev_hash", "hash"].every((name) => typeof value[name] === "string");
  const numbers = ["n", "at_ms"].every((name) => Number.isSafeInteger(value[name]));
  return texts && numbers && "body" in value && isTexts(value.texts) ? (value as unknown as AuditRow) : null;
}

function isTexts(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    typeof value === "object" &&
    Object.values(value).every((each) => typeof each?.salt === "string" && typeof each.text === "string")
  );
}

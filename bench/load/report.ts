/** What a load has measured, as text and as JSON. */
import { cpus, loadavg, totalmem } from "node:os";
import { percentile } from "../statistics.ts";
import type { Findings } from "./checks.ts";
import type { Book } from "./customers.ts";
import type { Fleet } from "./fleet.ts";
import type { Tally } from "./playing.ts";

export interface Report {
  readonly machine: string;
  /** Of the machine, one minute, before and after. */
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly seed: number;
  readonly messages: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly latencyMs: Readonly<Record<"chat" | "email", Latency>>;
  readonly processes: readonly {
    readonly name: string;
    readonly starts: number;
    /** In the first third of its life, the last third, and at most. */
    readonly mib: readonly [early: number, late: number, peak: number];
  }[];
  /** What went wrong on purpose. */
  readonly tally: Tally;
  readonly repeatedRequests: number;
  readonly repeatedMails: number;
  readonly notAnsweredInTime: number;
  readonly refunds: number;
  readonly findings: Findings;
}

interface Latency {
  readonly answers: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
export const machineLoad = (): number => Number((loadavg()[0] ?? 0).toFixed(1));

export function reportOf(
  parts: Omit<
    Report,
    | "machine"
    | "loadAfter"
    | "messages"
    | "perSecond"
    | "latencyMs"
    | "processes"
    | "repeatedRequests"
    | "notAnsweredInTime"
  > & { readonly book: Book; readonly fleet: Fleet },
): Report {
  const { book, fleet, ...rest } = parts;
  return {
    machine: machine(),
    loadAfter: machineLoad(),
    ...rest,
    messages: book.accepted.length,
    perSecond: round(book.accepted.length / rest.seconds),
    latencyMs: { chat: latency(book.measured.chatMs), email: latency(book.measured.mailMs) },
    processes: fleet.members.map(({ name, starts, memory, peakMib }) => {
      const third = Math.max(1, Math.floor(memory.length / 3));
      const mean = (samples: typeof memory) =>
        Math.round(samples.reduce((sum, { mib }) => sum + mib, 0) / Math.max(1, samples.length));
      return {
        name,
        starts,
        mib: [mean(memory.slice(0, third)), mean(memory.slice(-third)), Math.round(peakMib)],
      };
    }),
    repeatedRequests: book.repeated,
    notAnsweredInTime: book.slow.length,
  };
}

const round = (value: number): number => Number(value.toFixed(1));

function latency(values: readonly number[]): Latency {
  const at = (p: number) => Math.round(percentile(values, p));
  return { answers: values.length, p50: at(50), p95: at(95), p99: at(99) };
}

const SHOWN = 10;

export function textOf(report: Report): string {
  const { findings, latencyMs, tally } = report;
  const line = (name: string, { answers, p50, p95, p99 }: Latency) =>
    `${name.padEnd(6)} ${String(answers).padStart(6)} answers   p50 ${p50} ms   p95 ${p95} ms   p99 ${p99} ms`;
  const wrong = Object.entries(findings).flatMap(([name, found]: [string, readonly string[]]) => [
    ...found.slice(0, SHOWN).map((what) => `  ${name}: ${what}`),
    ...(found.length > SHOWN ? [`  ${name}: … and ${found.length - SHOWN} more`] : []),
  ]);
  return [
    `${report.machine}; load of the machine ${report.loadBefore} before, ${report.loadAfter} after; seed ${report.seed}`,
    `${report.messages} messages in ${report.seconds} s: ${report.perSecond}/s`,
    line("chat", latencyMs.chat),
    line("email", latencyMs.email),
    ...report.processes.map(
      ({ name, starts, mib: [early, late, peak] }) =>
        `${name.padEnd(10)} ${early} → ${late} MiB, at most ${peak}${starts > 1 ? ` (started ${starts} times)` : ""}`,
    ),
    `on purpose: ${tally.faults} faults, ${tally.kills} workers killed, ${tally.freezes} frozen, ${tally.restarts} restarts of the database`,
    `requests repeated ${report.repeatedRequests}, mails sent again ${report.repeatedMails}, not answered in time ${report.notAnsweredInTime}, refunds at the provider ${report.refunds}`,
    ...wrong,
    "",
  ].join("\n");
}

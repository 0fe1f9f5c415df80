/**
 * One load from beginning to end: processes started, customers played while something goes wrong, everything settled,
 * everything checked.
 */
import { seededRandom, systemClock } from "../../src/kernel/ports.ts";
import { openServer } from "../../src/store/server.ts";
import { createStore } from "../../src/store/store.ts";
import { check, type Findings, rowsOf, settled, TENANTS } from "./checks.ts";
import { type Book, now, pause } from "./customers.ts";
import { drive, type Load } from "./driving.ts";
import { fateOf } from "./fates.ts";
import { armOne, clearFaults } from "./faults.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import { createSender, openMailboxes } from "./mailbox.ts";
import { everyRefund } from "./provider.ts";
import { machineLoad, type Report, reportOf, textOf } from "./report.ts";
import { MESSAGES_PER_TALK } from "./talks.ts";

/** What is under way at the end is given this long: pauses between looks at the provider grow to a minute. */
const SETTLE_MS = 240_000;
const CROWD_MIN = 50;

/** What went wrong on purpose. */
export interface Tally {
  faults: number;
  kills: number;
  freezes: number;
  restarts: number;
}

/** Lets things go wrong until `over`; what it froze or took away is back when it resolves. */
export type Weather = (fleet: Fleet, over: AbortSignal, tally: Tally, chance: () => number) => Promise<void>;

export const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** The database that the load is for, or the end of the process with what to do. */
export function wantedDatabase(command: string): string {
  const url = process.env.DATABASE_URL;
  if (url !== undefined) return url;
  say(`DATABASE_URL is not set: run \`.ci/postgres npm run ${command}\`.`);
  process.exit(2);
}

/** With a broker for messages, where the caller has one. */
const kafkaSettings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith("RECOURSE_KAFKA_") && value !== undefined ? [[name, value]] : [],
    ),
  );

export async function play(options: {
  readonly databaseUrl: string;
  readonly workers: number;
  readonly load: Omit<Load, "crowd" | "onMessage">;
  /** Messages that are expected: the crowd is made for them. */
  readonly expected: number;
  /** A fault of shop or provider is armed with each so manieth message. */
  readonly faultEvery: number;
  readonly weather: Weather;
  readonly mayRepeatMails: boolean;
}): Promise<Report> {
  const { databaseUrl, workers, load } = options;
  const { fraction: chance } = seededRandom(load.seed + 1);
  // Two conversations of most members, so that a second wish meets the first one's refund.
  const crowd = Math.max(CROWD_MIN, Math.ceil(options.expected / MESSAGES_PER_TALK / 2));
  const loadBefore = machineLoad();
  const store = createStore(openServer(databaseUrl, systemClock));
  const mailboxes = await openMailboxes();
  const fleet = await startFleet({
    databaseUrl,
    workers,
    crowd,
    mailboxPort: mailboxes.port,
    env: kafkaSettings(),
  });
  const senders = [createSender(fleet.smtpPort, false), createSender(fleet.lmtpPort, true)];
  const book: Book = { accepted: [], measured: { chatMs: [], mailMs: [] }, slow: [], repeated: 0 };
  const tally: Tally = { faults: 0, kills: 0, freezes: 0, restarts: 0 };
  const over = new AbortController();
  try {
    for (const tenant of TENANTS) {
      const [row] = await rowsOf(store, tenant, "select count(*)::int as n from conversations");
      if (Number(row?.n) > 0) throw new Error("The database has conversations: a load wants an empty one.");
    }
    const weather = options.weather(fleet, over.signal, tally, chance);
    const fromMs = now();
    await drive(
      {
        ...load,
        crowd,
        onMessage(n) {
          if (n % 500 === 0) say(`${n} messages, ${Math.round((now() - fromMs) / 1_000)} s`);
          if (n % options.faultEvery !== 0) return;
          tally.faults += 1;
          void armOne(fleet.sandboxUrl, chance).catch((error: unknown) => say(String(error)));
        },
      },
      { fleet, book, mailboxes, senders },
    );
    const seconds = Math.round((now() - fromMs) / 100) / 10;
    over.abort();
    await weather;
    await clearFaults(fleet.sandboxUrl);
    const left = await settled(store, SETTLE_MS);
    if (left > 0) say(`${left} things are still under way`);
    for (const what of book.slow.slice(0, 10)) say(`not answered in time: ${await fateOf(store, what)}`);
    const refunds = await everyRefund(fleet.sandboxUrl);
    const findings = await check({
      store,
      accepted: book.accepted,
      refunds,
      arrived: mailboxes.arrived,
      mayRepeatMails: options.mayRepeatMails,
    });
    findings.lost.push(...fleet.deaths);
    const report = reportOf({
      book,
      fleet,
      loadBefore,
      tally,
      seed: load.seed,
      seconds,
      repeatedMails: [...mailboxes.arrived.values()].reduce((sum, times) => sum + times - 1, 0),
      refunds: refunds.filter(({ actionId }) => actionId !== null).length,
      findings,
    });
    if (countOf(findings) > 0)
      for (const { name, running } of fleet.members) say(`--- ${name}\n${running.output().slice(-3_000)}`);
    return report;
  } catch (error) {
    for (const death of fleet.deaths) say(death);
    throw error;
  } finally {
    over.abort();
    for (const sender of senders) sender.close();
    await fleet.stop();
    await mailboxes.stop();
    await store.close();
  }
}

export const countOf = (findings: Findings): number =>
  Object.values(findings).reduce((sum: number, found: readonly string[]) => sum + found.length, 0);

export const print = (report: Report, asJson: boolean): void =>
  void process.stdout.write(asJson ? `${JSON.stringify(report, null, 2)}\n` : textOf(report));

/** Rests; wakes at once when it is over. */
export async function restUntil(over: AbortSignal, ms: number): Promise<void> {
  const endMs = now() + ms;
  while (!over.aborted && now() < endMs) await pause(Math.min(200, Math.max(1, endMs - now())));
}

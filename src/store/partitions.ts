/**
 * Events by the month in which their conversation began, where somebody asked for it: parts for the months to come, and
 * whole months taken away. Done by the owner of the schema (`recourse migrate`, or a process whose role owns it); without
 * it nothing breaks, for `events_other` takes what no part is there for.
 */
import { readFile } from "node:fs/promises";
import { ProblemError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Database, Session } from "./database.ts";

export interface Part {
  readonly name: string;
  /** The lowest ID beyond it; null: it takes what no other does. */
  readonly to: string | null;
}

/** The first instant of the month that is `months` after that of `atMs`, UTC. Pure. */
export function monthStart(atMs: number, months: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1);
}

/** The lowest ID that a conversation could have that begins at `atMs`. Pure. */
export function boundOf(atMs: number): string {
  const hex = atMs.toString(16).padStart(12, "0");
  return `conv_${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** When conversations below the bound ended to begin. Pure. */
export const instantOf = (bound: string): number =>
  Number.parseInt(bound.slice("conv_".length).replace("-", ""), 16);

const STEPS = ["1-bound.sql", "2-holds.sql", "3-exchange.sql"] as const;

/**
 * Exchanges the table of events for one in parts, in three steps of which only the second takes long, and that one lets
 * others read and write. Once; answers with whether it was done now.
 * @throws ProblemError `events_not_owned`
 */
export async function partEvents(database: Database): Promise<boolean> {
  const session = await database.acquire();
  let broken = true;
  try {
    const kind = async (): Promise<unknown> => {
      const { rows } = await session.script(
        "select case when pg_has_role(current_user, relowner, 'usage') then relkind::text end as kind, exists (select from pg_constraint where conrelid = c.oid and conname = 'events_bound') as bounded from pg_class c where oid = 'recourse.events'::regclass",
      );
      if (rows[0]?.kind === null) throw new ProblemError("events_not_owned");
      return rows[0]?.bounded === true ? "bounded" : rows[0]?.kind;
    };
    const isWhole = (await kind()) !== "p";
    for (const step of STEPS) {
      const sql = await readFile(new URL(`./events-by-month/${step}`, import.meta.url), "utf8");
      await inLockAgain(session, async () => {
        const now = await kind();
        // A try before it may have been cut after any step.
        if (now === "p" || (step === "1-bound.sql" && now === "bounded")) return;
        await session.script(`set local statement_timeout = 0; ${sql}`);
      });
    }
    broken = false;
    return isWhole;
  } catch (error) {
    broken = !(error instanceof ProblemError);
    throw error;
  } finally {
    session.release(broken);
  }
}

/** In order of their bounds; what takes the rest is last. */
export async function partsOf(session: Pick<Session, "script">): Promise<readonly Part[]> {
  const { rows } = await session.script(
    `select c.relname as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''(conv_[0-9a-f-]+)''\\)') as bound
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'recourse.events'::regclass order by bound nulls last`,
  );
  return rows.map(({ name, bound }) => ({ name: String(name), to: bound === null ? null : String(bound) }));
}

/**
 * Makes the parts of the months to come that are missing; answers with their names. Nothing, where the login role does not
 * own the schema. A month that came before its part stays in what takes the rest.
 */
export async function makeParts(database: Database, nowMs: number): Promise<readonly string[]> {
  const session = await database.acquire();
  let broken = false;
  try {
    if (!(await owns(session))) return [];
    const made: string[] = [];
    const last = monthStart(nowMs, LIMITS.eventMonthsAhead);
    const there = (await partsOf(session)).findLast((part) => part.to !== null)?.to;
    let from = there ?? boundOf(monthStart(nowMs, 0));
    for (let n = 0; n < MADE_AT_ONCE_MAX && instantOf(from) < last; n += 1) {
      const to = boundOf(monthStart(instantOf(from), 1));
      const name = `events_${new Date(instantOf(from)).toISOString().slice(0, 7).replace("-", "_")}`;
      try {
        // Attached when it is ready: that lets others read and write, to create it in place would not.
        const done = await inLock(session, async () => {
          // Another process may have been first.
          if ((await partsOf(session)).some((part) => part.name === name)) return false;
          await session.script(
            `create table recourse.${name} (like recourse.events including defaults including constraints);
             alter table recourse.${name} enable row level security;
             alter table recourse.${name} force row level security;
             alter table recourse.events attach partition recourse.${name} for values from ('${from}') to ('${to}')`,
          );
          return true;
        });
        if (done) made.push(name);
      } catch (error) {
        if ((error as { code?: string }).code !== CHECK_VIOLATION) throw error;
      }
      from = to;
    }
    return made;
  } catch (error) {
    broken = true;
    throw error;
  } finally {
    session.release(broken);
  }
}

/**
 * Takes away the events of conversations that began before the month of `beforeMs`: whole parts, with the conversations'
 * rows, actions, reviews and audit entries left as they are. A part in which a conversation is not settled, or was
 * touched since, stays. Answers with the names of those taken away.
 * @throws ProblemError `events_not_owned`
 */
export async function dropParts(database: Database, beforeMs: number): Promise<readonly string[]> {
  const session = await database.acquire();
  let broken = true;
  try {
    if (!(await owns(session))) {
      broken = false;
      throw new ProblemError("events_not_owned");
    }
    const end = monthStart(beforeMs, 0);
    const dropped: string[] = [];
    let from = "";
    for (const { name, to } of await partsOf(session)) {
      if (to === null || instantOf(to) > end) break;
      const between = [from, to, end] as const;
      const done = await inLock(session, async () => {
        // Nobody writes between the look and what follows from it.
        await session.script("lock table recourse.events in share row exclusive mode");
        if (!(await isSettled(session, ...between))) return false;
        await session.script(
          `alter table recourse.events detach partition recourse.${name}; drop table recourse.${name}`,
        );
        return true;
      });
      if (done) dropped.push(name);
      from = to;
    }
    broken = false;
    return dropped;
  } finally {
    session.release(broken);
  }
}

/** As the sweeper, for row-level security hides conversations from the schema's owner too; then as who it was. */
async function isSettled(session: Session, from: string, to: string, endMs: number): Promise<boolean> {
  await session.script("set local role recourse_sweeper");
  const { rows } = await session.query(
    "select 1 as open from recourse.conversations where id >= $1 and id < $2 and (status <> 'resolved' or updated_at_ms >= $3) limit 1",
    [from, to, endMs],
  );
  await session.script("set local role none");
  return rows.length === 0;
}

async function owns(session: Session): Promise<boolean> {
  const { rows } = await session.script(
    "select relkind = 'p' and pg_has_role(current_user, relowner, 'usage') as owns from pg_class where oid = to_regclass('recourse.events')",
  );
  return rows[0]?.owns === true;
}

/** Again, where others hold a table for long: they go first. */
async function inLockAgain(session: Session, fn: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inLock(session, fn);
    } catch (error) {
      const isBusy = ["55P03", "40P01"].includes((error as { code?: string }).code ?? "");
      if (!isBusy || tries >= LIMITS.migrationTries) throw error;
    }
  }
}

/** One transaction, of one process at a time; gives way where it would have to wait long. */
async function inLock<T>(session: Session, fn: () => Promise<T>): Promise<T> {
  try {
    await session.script(
      `begin; set local lock_timeout = ${LIMITS.migrationLockMs}; select pg_advisory_xact_lock(${PARTS_LOCK})`,
    );
    const answer = await fn();
    await session.script("commit");
    return answer;
  } catch (error) {
    await session.script("rollback");
    throw error;
  }
}

/** Any constant: processes that start at once make parts one after the other. */
const PARTS_LOCK = 7_247_002;
const CHECK_VIOLATION = "23514";
/** Two years: more are missing only where a clock is wrong. */
const MADE_AT_ONCE_MAX = 24;

/**
 * Metrics of a period, counted from the rows where things happened: nothing is kept twice. What each means is in
 * `definitions.ts`; a property test recounts all of them row by row.
 *
 * Events have no index by time; conversations have one by their latest change, and none has an event after it.
 */
import { sql } from "kysely";
import type { Tx } from "../../store/store.ts";
import { type Figure, METRICS, type MetricName } from "./definitions.ts";

export interface Period {
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
}

export const REOPENED_WITHIN_MS = 7 * 86_400_000;
/** More values of a label than this are counted together as `other`. */
export const LABELS_MAX = 40;

interface Row {
  readonly metric: MetricName;
  readonly label: string | null;
  readonly numerator: string | number;
  readonly denominator: string | number | null;
}

export async function readMetrics(
  tx: Tx,
  { fromMs, toMs }: Period,
  nowMs: number,
): Promise<readonly Figure[]> {
  const tenant = tx.scope.tenantId;
  const { rows } = await sql<Row>`
    with touched as (
      select id, channel, created_at_ms from conversations
       where tenant_id = ${tenant} and updated_at_ms >= ${fromMs} and created_at_ms < ${toMs}
    ), ends as (
      select e.conversation_id, e.seq, e.at_ms, t.channel, t.created_at_ms,
             coalesce(lag(e.seq) over (partition by e.conversation_id order by e.seq), 0) as since_seq,
             coalesce(lag(e.at_ms) over (partition by e.conversation_id order by e.seq), -1) as since_ms
        from events e join touched t on t.id = e.conversation_id
       where e.tenant_id = ${tenant} and e.type = 'status' and e.payload ->> 'status' = 'resolved'
    ), endings as (
      select n.*,
        exists (select 1 from events o where o.tenant_id = ${tenant} and o.conversation_id = n.conversation_id
                 and o.author = 'operator' and o.seq > n.since_seq and o.seq < n.seq)
        or exists (select 1 from reviews r where r.tenant_id = ${tenant} and r.conversation_id = n.conversation_id
                 and r.kind = 'handoff' and r.state = 'decided' and r.decision ->> 'decision' = 'resolve'
                 and r.updated_at_ms > n.since_ms and r.updated_at_ms <= n.at_ms) as by_person,
        exists (select 1 from events m where m.tenant_id = ${tenant} and m.conversation_id = n.conversation_id
                 and m.author = 'customer' and m.seq > n.seq and m.at_ms <= n.at_ms + ${REOPENED_WITHIN_MS}::bigint) as reopened
        from ends n where n.at_ms >= ${fromMs} and n.at_ms < ${toMs}
    ), firsts as (
      select t.id, t.channel,
             (select at_ms from events e where e.tenant_id = ${tenant} and e.conversation_id = t.id and e.type = 'message'
                and e.author = 'customer' order by seq limit 1) as asked_ms,
             (select seq from events e where e.tenant_id = ${tenant} and e.conversation_id = t.id and e.type = 'message'
                and e.author = 'customer' order by seq limit 1) as asked_seq
        from touched t
    ), answers as (
      select f.channel, f.asked_ms,
             (select at_ms from events e where e.tenant_id = ${tenant} and e.conversation_id = f.id and e.type = 'message'
                and e.author in ('agent', 'operator') and e.seq > f.asked_seq order by seq limit 1) as answered_ms
        from firsts f where f.asked_ms >= ${fromMs} and f.asked_ms < ${toMs}
    ), called as (
      select proposal ->> 'tool' as tool, outcome ->> 'kind' as kind, outcome ->> 'code' as code
        from steps where tenant_id = ${tenant} and at_ms >= ${fromMs} and at_ms < ${toMs}
    ), sent as (
      select count(*) as n from events e join touched t on t.id = e.conversation_id
       where e.tenant_id = ${tenant} and e.type = 'message' and e.author = 'agent' and e.at_ms >= ${fromMs} and e.at_ms < ${toMs}
    ), unknowns as (
      select subject, min(at_ms) as at_ms from audit
       where tenant_id = ${tenant} and kind = 'action.unknown' and at_ms >= ${fromMs} and at_ms < ${toMs} group by subject
    ), settled as (
      select u.at_ms, (select min(a.at_ms) from audit a where a.tenant_id = ${tenant} and a.subject = u.subject and a.at_ms >= u.at_ms
          and a.kind in ('action.succeeded', 'action.failed', 'action.needs_person')) as known_ms
        from unknowns u
    )
    select 'autonomous_resolutions' as metric, null as label, count(*) filter (where not by_person) as numerator, count(*) as denominator from endings
    union all
    select 'reopened', null, count(*) filter (where reopened), count(*) from endings where at_ms <= ${nowMs - REOPENED_WITHIN_MS}::bigint
    union all
    select 'satisfied', solved_by, count(*) filter (where score >= 4), count(*) from csat
      where tenant_id = ${tenant} and at_ms >= ${fromMs} and at_ms < ${toMs} group by solved_by
    union all
    select 'escalations', r.reason, count(*), (select count(distinct e.conversation_id) from events e join touched t on t.id = e.conversation_id
        where e.tenant_id = ${tenant} and e.type = 'message' and e.author = 'customer' and e.at_ms >= ${fromMs} and e.at_ms < ${toMs})
      from reviews r where r.tenant_id = ${tenant} and r.kind = 'handoff' and r.created_at_ms >= ${fromMs} and r.created_at_ms < ${toMs} group by r.reason
    union all
    select 'first_answer', channel, sum(answered_ms - asked_ms) / 1000.0, count(*) from answers where answered_ms is not null group by channel
    union all
    select 'resolution', channel, sum(at_ms - created_at_ms) / 1000.0, count(*) from endings where since_seq = 0 group by channel
    union all
    select 'model_cost', null, coalesce(sum(cost_micros), 0) / 1000000.0, (select count(*) from endings) from model_calls
      where tenant_id = ${tenant} and at_ms >= ${fromMs} and at_ms < ${toMs}
    union all
    select 'duplicates_prevented', null, count(*) filter (where kind = 'conflict' and code = 'units_unavailable'), count(*) from called
      where tool in ('process_refund', 'initiate_return')
    union all
    select 'unknown_outcomes', null, (select count(*) from unknowns), count(distinct subject) from audit
      where tenant_id = ${tenant} and kind = 'action.executing' and at_ms >= ${fromMs} and at_ms < ${toMs}
    union all
    select 'unknown_settling', null, coalesce(sum(known_ms - at_ms), 0) / 1000.0, count(*) from settled where known_ms is not null
    union all
    select 'tool_errors', coalesce(code, kind), count(*), (select count(*) from called where tool is not null) from called
      where tool is not null and kind in ('unavailable', 'invalid') group by coalesce(code, kind)
    union all
    select 'denials', coalesce(decision #>> '{verdict,clauses,0,clauseId}', 'not_permitted'), count(*),
        (select count(*) from denials where tenant_id = ${tenant} and at_ms >= ${fromMs} and at_ms < ${toMs})
        + (select count(*) from actions where tenant_id = ${tenant} and created_at_ms >= ${fromMs} and created_at_ms < ${toMs})
      from denials where tenant_id = ${tenant} and at_ms >= ${fromMs} and at_ms < ${toMs} group by 2
    union all
    select 'withheld', null, count(*) filter (where kind = 'withheld'), count(*) filter (where kind = 'withheld') + (select n from sent) from called
    union all
    select 'queue', kind, count(*), null from reviews where tenant_id = ${tenant} and state = 'open' group by kind
    union all
    select 'queue_age', kind, (${nowMs}::bigint - min(created_at_ms)) / 1000.0, null from reviews
      where tenant_id = ${tenant} and state = 'open' group by kind`.execute(tx);
  return boundedLabels(
    rows.map((row) => ({
      metric: row.metric,
      label: row.label,
      numerator: Number(row.numerator),
      denominator: row.denominator === null ? null : Number(row.denominator),
    })),
  );
}

/** The largest values of each label by themselves, the rest as one: an attacker or a policy must not make series without end. */
export function boundedLabels(figures: readonly Figure[]): readonly Figure[] {
  return [...Map.groupBy(figures, ({ metric }) => metric)].flatMap(([metric, all]) => {
    if (METRICS[metric].label === null || all.length <= LABELS_MAX) return all;
    const sorted = all.toSorted((a, b) => b.numerator - a.numerator);
    const rest = sorted.slice(LABELS_MAX - 1);
    const other: Figure = {
      metric,
      label: "other",
      numerator: rest.reduce((sum, { numerator }) => sum + numerator, 0),
      denominator: rest[0]?.denominator ?? null,
    };
    return [...sorted.slice(0, LABELS_MAX - 1), other];
  });
}

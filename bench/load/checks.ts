/**
 * What must hold after a load, read from the database and from the provider. Each finding is a sentence that says what
 * does not hold and for which thing.
 */
import { type AuditRow, firstBrokenLink } from "../../src/evidence/chain.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { executeIn, type Store } from "../../src/store/store.ts";
import { type Accepted, pause } from "./customers.ts";
import type { ProviderRefund } from "./provider.ts";

export interface Findings {
  /** Accepted, and neither answered nor handed over; or an answer that was not sent. */
  readonly lost: string[];
  /** Stored, answered or done twice. */
  readonly doubled: string[];
  /** Out of order within a conversation. */
  readonly disordered: string[];
  /** Money: what provider, ledger and balances say differently, and a broken audit. */
  readonly money: string[];
}

export const TENANTS = ["northwind", "kestrel"] as const;

/** Under way: a run, an action that has no outcome, a mail that is to be sent. */
const UNDER_WAY = `
  select (select count(*)::int from runs where state in ('queued', 'running'))
       + (select count(*)::int from actions where state in ('scheduled', 'executing', 'unknown', 'pending'))
       + (select count(*)::int from mail_outbox where state = 'queued')
       + (select count(*)::int from mail_threads t join conversations c on c.tenant_id = t.tenant_id and c.id = t.conversation_id
           where t.mailed_seq < c.next_seq - 1) as n`;

/** Waits until nothing is under way; answers with how much still is after that time. */
export async function settled(store: Store, withinMs: number): Promise<number> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    let left = 0;
    for (const tenant of TENANTS) left += Number((await rowsOf(store, tenant, UNDER_WAY))[0]?.n ?? 0);
    if (left === 0 || performance.now() > endMs) return left;
    await pause(500);
  }
}

export async function rowsOf(
  store: Store,
  tenant: string,
  sql: string,
): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await store.transact(tenantScope(tenant as TenantId), (tx) => executeIn(tx, sql));
  return rows;
}

/** Statements whose every row is a finding: `what` says it. */
const FINDINGS: readonly { readonly of: keyof Findings; readonly sql: string }[] = [
  {
    of: "lost",
    sql: `select format('conversation %s: message %s has no answer', c.id, max(e.seq)) as what
            from conversations c join events e on e.tenant_id = c.tenant_id and e.conversation_id = c.id
           where c.status <> 'with_person' and e.author = 'customer' and e.seq > c.answered_seq group by c.id`,
  },
  {
    of: "lost",
    sql: `select format('run %s of conversation %s is still %s', id, conversation_id, state) as what
            from runs where state in ('queued', 'running')`,
  },
  {
    of: "lost",
    sql: `select format('conversation %s is with a person, and no review says so', c.id) as what
            from conversations c where c.status = 'with_person'
             and not exists (select from reviews r where r.tenant_id = c.tenant_id and r.conversation_id = c.id)`,
  },
  {
    of: "lost",
    sql: `select format('mail %s is %s', id, state) as what from mail_outbox where state <> 'sent'`,
  },
  {
    of: "doubled",
    sql: `select format('conversation %s has the message %s %s times', conversation_id, client_message_id, count(*)) as what
            from events where client_message_id is not null
           group by conversation_id, client_message_id having count(*) > 1`,
  },
  {
    of: "doubled",
    sql: `select format('run %s was ended by %s attempts', run_id, count(distinct n / 100)) as what
            from steps group by run_id having count(distinct n / 100) > 1`,
  },
  {
    of: "doubled",
    sql: `select format('conversation %s has %s answers to %s messages', conversation_id, answers, messages) as what
            from (select conversation_id,
                         count(*) filter (where author = 'customer') as messages,
                         count(*) filter (where author = 'agent' and internal->>'runId' is not null and internal->>'actionId' is null
                                            and internal->>'identityNeededFor' is null) as answers
                    from events where type = 'message' group by conversation_id) as counted
           where answers > messages`,
  },
  {
    of: "doubled",
    sql: `select format('action %s: "%s" was told %s times', internal->>'actionId', payload->>'text', count(*)) as what
            from events where type = 'message' and author = 'agent' and internal->>'actionId' is not null and internal->>'runId' is null
           group by internal->>'actionId', payload->>'text' having count(*) > 1`,
  },
  {
    of: "disordered",
    sql: `select format('conversation %s: seq runs from %s to %s over %s events', conversation_id, min(seq), max(seq), count(*)) as what
            from events group by conversation_id having min(seq) <> 1 or max(seq) <> count(*)`,
  },
  {
    of: "money",
    sql: `select format('action %s has no outcome: %s', id, state) as what from actions
           where state in ('scheduled', 'executing', 'unknown', 'pending')`,
  },
  {
    of: "money",
    sql: `select format('unit %s#%s is allocated %s times', line_item_id, unit_index, count(*)) as what from allocations
           where state <> 'released' group by kind, order_id, line_item_id, unit_index having count(*) > 1`,
  },
  {
    of: "money",
    sql: `select format('the balance of %s says %s refunded, its actions %s', b.order_id, b.refunded_minor, coalesce(sum(a.amount_minor), 0)) as what
            from order_balances b left join actions a
              on a.tenant_id = b.tenant_id and a.order_id = b.order_id and a.kind = 'refund' and a.state = 'succeeded'
           group by b.order_id, b.refunded_minor having b.refunded_minor <> coalesce(sum(a.amount_minor), 0)`,
  },
];

export async function check(parts: {
  readonly store: Store;
  readonly accepted: readonly Accepted[];
  readonly refunds: readonly ProviderRefund[];
  /** Mails that customers got, by Message-ID: how often. */
  readonly arrived: ReadonlyMap<string, number>;
  /** A sender that was killed may send again what it had sent. */
  readonly mayRepeatMails: boolean;
}): Promise<Findings> {
  const findings: Findings = { lost: [], doubled: [], disordered: [], money: [] };
  for (const tenant of TENANTS) {
    for (const { of, sql } of FINDINGS) {
      for (const { what } of await rowsOf(parts.store, tenant, sql)) findings[of].push(`${tenant}: ${what}`);
    }
    await checkMessages(parts, tenant, findings);
    await checkMails(parts, tenant, findings);
    await checkRefunds(parts, tenant, findings);
    await checkAudit(parts.store, tenant, findings);
  }
  if (!parts.mayRepeatMails)
    for (const [id, times] of parts.arrived)
      if (times > 1) findings.doubled.push(`mail ${id} came ${times} times`);
  return findings;
}

type Parts = Parameters<typeof check>[0];

/** Every message that was accepted is in the log, in the order in which it was sent; pairs are answered in order. */
async function checkMessages({ store, accepted }: Parts, tenant: string, findings: Findings): Promise<void> {
  const stored = await rowsOf(
    store,
    tenant,
    `select e.conversation_id as conversation, e.client_message_id as id, e.seq, r.message_id as mail
       from events e left join mail_received r on r.tenant_id = e.tenant_id and r.id = e.client_message_id
      where e.author = 'customer'`,
  );
  const places = new Map(
    stored.map(({ conversation, id, seq, mail }) => [
      String(mail ?? id),
      { conversation: String(conversation), seq: Number(seq) },
    ]),
  );
  const latest = new Map<string, number>();
  const pairs = new Map<string, readonly [string, string]>();
  for (const message of accepted.filter((it) => it.tenant === tenant)) {
    const place = places.get(message.id);
    if (
      place === undefined ||
      (message.conversation !== null && message.conversation !== place.conversation)
    ) {
      findings.lost.push(`${tenant}: message ${message.id} was accepted and is not in the log`);
      continue;
    }
    const { conversation, seq } = place;
    if (seq <= (latest.get(conversation) ?? 0))
      findings.disordered.push(
        `${tenant}: ${message.id} stands before what was sent before it in ${conversation}`,
      );
    latest.set(conversation, seq);
    if (message.talk.namedInOrder !== null) pairs.set(conversation, message.talk.namedInOrder);
  }
  const answers = await rowsOf(
    store,
    tenant,
    "select conversation_id as conversation, payload->>'text' as text, payload->>'cards' as cards from events where type = 'message' and author = 'agent' order by conversation_id, seq",
  );
  const said = Map.groupBy(answers, ({ conversation }) => String(conversation));
  for (const [conversation, [first, second]] of pairs) {
    const all = (said.get(conversation) ?? []).map(({ text, cards }) => `${text} ${cards ?? ""}`);
    const [one, two] = [first, second].map((number) => all.findIndex((text) => text.includes(number)));
    if (one !== undefined && two !== undefined && one >= 0 && two >= 0 && one > two)
      findings.disordered.push(`${tenant}: ${conversation} was answered about ${second} before ${first}`);
  }
}

/** Every mail that the outbox says was sent has come to its customer. */
async function checkMails({ store, arrived }: Parts, tenant: string, findings: Findings): Promise<void> {
  for (const { id } of await rowsOf(store, tenant, "select id from mail_outbox where state = 'sent'"))
    if (!arrived.has(String(id))) findings.lost.push(`${tenant}: mail ${id} is sent and came to nobody`);
}

/** The ledger is what the provider has: each action once, each charge no more than was paid. */
async function checkRefunds({ store, refunds }: Parts, tenant: string, findings: Findings): Promise<void> {
  const actions = new Map(
    (
      await rowsOf(
        store,
        tenant,
        "select id, state, amount_minor as amount, charge_id as charge from actions where kind = 'refund'",
      )
    ).map((row) => [String(row.id), row]),
  );
  const short = tenant === "northwind" ? "ch_nw_" : "ch_ka_";
  const ours = refunds.filter(({ charge, actionId }) => charge.startsWith(short) && actionId !== null);
  const seen = new Set<string>();
  const byCharge = new Map<string, number>();
  for (const { id, charge, amount, status, actionId } of ours) {
    const action = actions.get(actionId ?? "");
    if (action === undefined) findings.money.push(`${tenant}: ${id} at the provider has no action`);
    else if (action.state !== "succeeded" && status === "succeeded")
      findings.money.push(`${tenant}: ${id} succeeded, and ${actionId} is ${action.state}`);
    else if (Number(action.amount) !== amount || action.charge !== charge)
      findings.money.push(`${tenant}: ${id} is another refund than ${actionId} says`);
    if (seen.has(actionId ?? ""))
      findings.money.push(`${tenant}: ${actionId} has two refunds at the provider`);
    seen.add(actionId ?? "");
    if (status !== "failed" && status !== "canceled") byCharge.set(charge, (byCharge.get(charge) ?? 0) + 1);
  }
  // An order of the crowd that is refunded has one unit.
  for (const [charge, count] of byCharge)
    if (count > 1) findings.money.push(`${tenant}: the one unit of ${charge} was refunded ${count} times`);
  for (const [id, { state }] of actions)
    if (state === "succeeded" && !seen.has(id))
      findings.money.push(`${tenant}: ${id} succeeded, and the provider has no such refund`);
}

async function checkAudit(store: Store, tenant: string, findings: Findings): Promise<void> {
  const rows = (await rowsOf(store, tenant, "select * from audit order by n")) as unknown as AuditRow[];
  const broken = firstBrokenLink(rows);
  if (broken !== null) findings.money.push(`${tenant}: audit entry ${broken.n}: ${broken.why}`);
}

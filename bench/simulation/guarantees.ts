/** What must hold after every seed, read from rows and from the provider. Each answer is a sentence that says what does not. */
import { holdOf } from "../../src/actions/lifecycle.ts";
import { firstBrokenLink } from "../../src/evidence/chain.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { KESTREL, NORTHWIND } from "../../tests/kit/database.ts";
import type { ProviderRefundRow, TestSystem } from "../../tests/kit/system.ts";
import type { Talk } from "./simulate.ts";

export async function checkGuarantees(
  world: TestSystem,
  talks: readonly Talk[],
  dashboardMinor: number,
): Promise<string[]> {
  const found: string[] = [];
  const wrong = (guarantee: string, what: string) => void found.push(`${guarantee} ${what}`);
  const provider = await everyRefund(world);
  for (const tenant of [NORTHWIND, KESTREL]) {
    const rows = await world.store.transact(tenantScope(tenant), async (tx) => ({
      actions: await tx.selectFrom("actions").selectAll().execute(),
      allocations: await tx.selectFrom("allocations").selectAll().execute(),
      balances: await tx.selectFrom("order_balances").selectAll().execute(),
      audit: await tx.selectFrom("audit").selectAll().orderBy("n").execute(),
      reviews: await tx.selectFrom("reviews").selectAll().execute(),
      runs: await tx.selectFrom("runs").selectAll().execute(),
    }));

    for (const action of rows.actions.filter(({ kind }) => kind === "refund")) {
      const mine = provider.filter((refund) => refund.metadata.recourse_action_id === action.id);
      if (mine.length > 1) wrong("G1", `${action.id} has ${mine.length} refunds at the provider`);
      const [refund] = mine;
      if (action.state === "succeeded" && refund?.status !== "succeeded")
        wrong("G2", `${action.id} succeeded, the provider says ${refund?.status ?? "nothing"}`);
      if (refund?.status === "succeeded" && action.state !== "succeeded")
        wrong("G5", `${action.id} is ${action.state}, the provider says succeeded`);
      if (refund !== undefined && refund.amount !== action.amount_minor)
        wrong("G1", `${action.id} is of another amount at the provider`);
      const needed =
        (action.decision as { verdict?: { decision?: string } }).verdict?.decision === "needs_approval";
      if (refund !== undefined && needed && action.approved_by === null)
        wrong("G6", `${action.id} went out without its approval`);
    }
    for (const action of rows.actions) {
      const last = rows.audit.findLast((entry) => entry.subject === action.id);
      if (last?.kind !== `action.${action.state}`)
        wrong("G7", `the audit's last word on ${action.id} is ${last?.kind}, the row says ${action.state}`);
      if (["scheduled", "executing", "unknown", "pending"].includes(action.state))
        wrong("G5", `${action.id} is still ${action.state}`);
    }
    for (const balance of rows.balances) {
      const of = (hold: string) =>
        rows.actions
          .filter(
            (action) =>
              action.kind === "refund" &&
              action.order_id === balance.order_id &&
              holdOf(action.state) === hold,
          )
          .reduce((sum, action) => sum + action.amount_minor, 0);
      if (balance.held_minor !== of("held") || balance.refunded_minor !== of("captured"))
        wrong("G1", `the balance of ${balance.order_id} is not the sum of its actions`);
      const paidBack = provider
        .filter((refund) => refund.charge === balance.charge_id && refund.status !== "failed")
        .reduce((sum, refund) => sum + refund.amount, 0);
      if (paidBack > balance.captured_minor)
        wrong("G1", `${balance.order_id} was refunded ${paidBack} of ${balance.captured_minor}`);
    }
    const units = new Map<string, number>();
    for (const unit of rows.allocations.filter(({ state }) => state !== "released")) {
      const name = `${unit.kind} ${unit.line_item_id}#${unit.unit_index}`;
      units.set(name, (units.get(name) ?? 0) + 1);
    }
    for (const [name, count] of units) if (count > 1) wrong("G1", `${name} is allocated ${count} times`);
    for (const refund of provider) {
      if (
        refund.charge.startsWith(tenant === NORTHWIND ? "ch_nw" : "ch_ka") &&
        refund.metadata.recourse_action_id !== undefined
      ) {
        if (!rows.actions.some((action) => action.id === refund.metadata.recourse_action_id))
          wrong("G4", `${refund.id} has no action row`);
      }
    }
    for (const run of rows.runs)
      if (run.state === "queued" || run.state === "running") wrong("G5", `${run.id} is still ${run.state}`);
    const broken = firstBrokenLink(rows.audit as never);
    if (broken !== null) wrong("G7", `audit of ${tenant}: entry ${broken.n}: ${broken.why}`);
  }
  const external =
    provider.filter(
      (refund) =>
        refund.metadata.recourse_action_id === undefined &&
        refund.amount === 500 &&
        refund.charge === "ch_nw_1042",
    ).length * 500;
  if (external > dashboardMinor) wrong("G4", "a refund without an action is at the provider");

  for (const talk of talks) await checkTalk(world, talk, wrong);
  return found;
}

async function checkTalk(
  world: TestSystem,
  talk: Talk,
  wrong: (guarantee: string, what: string) => void,
): Promise<void> {
  const events = await world.events(talk.scope, talk.conversation);
  const name = `${talk.scope.customerId}'s ${talk.conversation}`;
  if (events.some((event, index) => event.seq !== index + 1))
    wrong("G8", `${name}: seq has a gap or a repeat`);
  const stored = events
    .filter((event) => event.author === "customer")
    .map((event) => String(event.client_message_id));
  if (stored.length !== new Set(stored).size) wrong("G8", `${name}: a message is stored twice`);
  for (const id of talk.sent.keys()) if (!stored.includes(id)) wrong("G5", `${name}: message ${id} was lost`);
  const { status, answered, last } = await world.store.transact(talk.scope, async (tx) => {
    const row = await tx
      .selectFrom("conversations")
      .select(["status", "answered_seq"])
      .where("id", "=", talk.conversation)
      .executeTakeFirstOrThrow();
    return {
      status: row.status,
      answered: row.answered_seq,
      last: events.findLast((event) => event.author === "customer")?.seq ?? 0,
    };
  });
  if (status !== "with_person" && answered < last) wrong("G5", `${name}: a message has no answer`);
  for (const event of events) {
    const [card] = (event.cards as { type: string; order?: { orderId: string } }[] | undefined) ?? [];
    if (card?.type === "order" && !owns(world, talk, card.order?.orderId ?? "")) {
      wrong("G3", `${name}: shows ${card.order?.orderId}`);
    }
  }
}

function owns(world: TestSystem, talk: Talk, orderId: string): boolean {
  return world.shop.world.orders.some(
    ({ order, tenant }) =>
      order.id === orderId && order.customerId === talk.scope.customerId && tenant === talk.scope.tenantId,
  );
}

async function everyRefund(world: TestSystem): Promise<readonly ProviderRefundRow[]> {
  const all: ProviderRefundRow[] = [];
  for (const [number, tenant] of [
    ["1042", NORTHWIND],
    ["1043", NORTHWIND],
    ["1044", NORTHWIND],
    ["1031", NORTHWIND],
    ["1055", NORTHWIND],
    ["1001", NORTHWIND],
    ["2042", KESTREL],
  ] as const) {
    all.push(...(await world.refunds(number, tenant)));
  }
  return all;
}

/** Plays a scenario on the real rooms, the embedded database and the sandbox, and grades it on outcomes first. */
import type { Agent } from "../../src/agents/agent.ts";
import { firstBrokenLink } from "../../src/evidence/chain.ts";
import type { ConversationId, TenantId } from "../../src/kernel/ids.ts";
import { type CustomerScope, tenantScope } from "../../src/kernel/scope.ts";
import { createTestSystem, type TestSystem } from "../../tests/kit/system.ts";
import type { Scenario, Step } from "./format.ts";

export interface Result {
  readonly scenario: Scenario;
  /** What was not as it must be; empty when it passed. Outcomes stand before words. */
  readonly faults: readonly string[];
  readonly seconds: number;
}

const TENANTS = ["northwind", "kestrel"] as const;
const MINUTE_MS = 60_000;

export async function play(scenario: Scenario, agent?: () => Agent): Promise<Result> {
  const startedMs = performance.now();
  const world = await createTestSystem(agent === undefined ? {} : { agent: agent() });
  const faults: string[] = [];
  try {
    const tenant = scenario.tenant as TenantId;
    const scope = world.scope(scenario.customer, tenant);
    const open = (of: CustomerScope) =>
      world.system.conversations.open(of, { channel: scenario.channel, assurance: "authenticated" });
    const first = await open(scope);
    const others = new Map<string, { scope: CustomerScope; conversation: ConversationId }>();
    for (const { fault, times, on } of scenario.faults) await world.fault(fault, times, on);
    let said = 0;
    for (const step of scenario.steps) {
      said += 1;
      await take(
        world,
        step,
        `m-${said}`,
        async ({ in: where, as }) => {
          if (where === "first" && as === undefined) return { scope, conversation: first };
          const key = as ?? "";
          const known = others.get(key);
          if (known !== undefined) return known;
          const of = as === undefined ? scope : world.scope(as, tenant);
          const made = { scope: of, conversation: await open(of) };
          others.set(key, made);
          return made;
        },
        tenant,
      );
    }
    await world.drain();
    faults.push(...(await outcomesOf(world, scenario)));
    const conversations = [{ scope, conversation: first }, ...others.values()];
    const { status } = await world.system.conversations.view(scope, first);
    const { expect } = scenario;
    if (expect.status !== undefined && status !== expect.status)
      faults.push(`status ${status}, not ${expect.status}`);
    const told = (await Promise.all(conversations.map((it) => world.told(it.scope, it.conversation)))).flat();
    for (const text of expect.said) {
      if (!told.some((it) => it.includes(text)))
        faults.push(`did not say "${text}" but: ${told.join(" | ").slice(0, 600)}`);
    }
    for (const text of expect.notSaid) {
      if (told.some((it) => it.toLowerCase().includes(text.toLowerCase()))) faults.push(`said "${text}"`);
    }
    for (const { about, error } of world.errors)
      faults.push(`error in ${about}: ${String(error).slice(0, 200)}`);
  } catch (error) {
    faults.push(`it could not be played: ${String((error as Error).stack ?? error).slice(0, 400)}`);
  } finally {
    await world.close();
  }
  return { scenario, faults, seconds: (performance.now() - startedMs) / 1_000 };
}

type Place = (of: {
  in: "first" | "other";
  as?: string | undefined;
}) => Promise<{ scope: CustomerScope; conversation: ConversationId }>;

async function take(
  world: TestSystem,
  step: Step,
  messageId: string,
  place: Place,
  tenant: TenantId,
): Promise<void> {
  if ("say" in step) {
    const { scope, conversation } = await place(step);
    await Promise.all(
      Array.from({ length: step.times }, () =>
        world.system.conversations.accept(scope, conversation, {
          clientMessageId: messageId,
          text: step.say,
        }),
      ),
    );
    await world.drain();
  } else if ("pass" in step) {
    await world.pass(step.pass * MINUTE_MS);
    await world.pass(1_000);
  } else if ("restart" in step) {
    world.restart();
    await world.queue.work((item) => world.system.worker.handle(item));
    await world.settle();
  } else if ("outage" in step) {
    await world.outage(step.outage);
  } else {
    const scope = tenantScope(tenant);
    const [review] = await world.system.reviews.list(scope, { state: "open", limit: 10 });
    if (review === undefined) throw new Error("there is nothing to decide");
    await world.system.reviews.decide(scope, review.review_id, {
      decision: step.decide,
      version: review.version,
      argsHash: review.args_hash,
      operator: "olivia",
      note: step.note ?? null,
    });
    await world.pass(MINUTE_MS);
  }
}

/** What the database and the provider hold, beside what they must; and what holds in every scenario. */
async function outcomesOf(
  world: TestSystem,
  { expect, steps, customer, tenant }: Scenario,
): Promise<string[]> {
  const faults: string[] = [];
  const differs = (what: string, found: readonly string[], wanted: readonly string[]) => {
    const [a, b] = [[...found].sort().join(", "), [...wanted].sort().join(", ")];
    if (a !== b) faults.push(`${what}: ${a || "none"}; wanted: ${b || "none"}`);
  };
  const rows = (await Promise.all(TENANTS.map((id) => world.actions(id as TenantId)))).flat();
  differs(
    "actions",
    rows.map((row) => `${row.kind} ${row.amount_minor} ${row.state}`),
    expect.actions,
  );
  const own = await world.orders.list(world.scope(customer, tenant as TenantId));
  const mentioned = JSON.stringify(steps).match(/\b[12]0\d\d\b/g) ?? [];
  for (const number of new Set([
    ...own.map((order) => order.number),
    ...mentioned,
    ...Object.keys(expect.refunds),
  ])) {
    const held = await world.refunds(number, (number.startsWith("2") ? "kestrel" : "northwind") as TenantId);
    differs(
      `refunds of #${number}`,
      held.map(({ amount, status }) => `${amount} ${status}`),
      expect.refunds[number] ?? [],
    );
    const ids = held.map(({ metadata }) => metadata.recourse_action_id);
    if (new Set(ids).size !== ids.length) faults.push(`#${number}: two refunds of one action`);
    for (const id of ids)
      if (!rows.some((row) => row.id === id)) faults.push(`#${number}: a refund without an action`);
  }
  const reviews = await world.system.reviews.list(tenantScope(tenant as TenantId), {
    state: "all",
    limit: 50,
  });
  differs(
    "reviews",
    reviews.map(({ reason }) => String(reason)),
    expect.reviews,
  );
  for (const id of TENANTS) {
    const broken = firstBrokenLink(await world.audit(id as TenantId));
    if (broken !== null) faults.push(`the audit of ${id} is broken at ${broken.n}: ${broken.why}`);
  }
  return faults;
}

/** One seed: what happens, in which order, and what is checked at the end. */
import type { ConversationId, TenantId } from "../../src/kernel/ids.ts";
import { BOUNDARY_NAMES, type BoundaryName, SimulatedCrash, seededRandom } from "../../src/kernel/ports.ts";
import { type CustomerScope, tenantScope } from "../../src/kernel/scope.ts";
import { KESTREL, NORTHWIND } from "../../tests/kit/database.ts";
import { createTestSystem, type TestSystem } from "../../tests/kit/system.ts";
import { checkGuarantees } from "./guarantees.ts";

export interface Talk {
  readonly scope: CustomerScope;
  readonly conversation: ConversationId;
  /** What was sent, by client ID: each must be stored once. */
  readonly sent: Map<string, string>;
}

export interface SimulationResult {
  readonly steps: number;
  readonly violations: readonly string[];
  /** States and events that this seed came through, for coverage. */
  readonly reached: readonly string[];
}

const PEOPLE: readonly { name: string; tenant: TenantId; orders: readonly string[] }[] = [
  { name: "ada", tenant: NORTHWIND, orders: ["1042"] },
  { name: "ben", tenant: NORTHWIND, orders: ["1043", "1044"] },
  { name: "cleo", tenant: NORTHWIND, orders: ["1031"] },
  { name: "dev", tenant: NORTHWIND, orders: ["1055", "1001"] },
  { name: "eve", tenant: NORTHWIND, orders: ["1044", "9999"] },
  { name: "lena", tenant: KESTREL, orders: ["2042"] },
];

const WISHES = [
  "I want a refund for order {n}",
  "refund everything from #{n}",
  "refund the socks from order {n}",
  "refund one pair of socks from {n}",
  "please refund the trail jacket, order {n}",
  "refund the headphone cable from {n}",
  "I want to return order {n}, it is too small",
  "where is order {n}?",
  "where is my money?",
  "refund 500 for order {n}",
  "full refund for order {n} please",
  "refund order {n}",
] as const;
const REPLIES = [
  "yes",
  "yes",
  "yes",
  "yes please",
  "no",
  "never mind",
  "everything",
  "only the socks",
  "changed my mind",
] as const;
const PROVIDER_FAULTS = [
  "reset_after_accept",
  "reset_before_accept",
  "error_500_after_accept",
  "rate_limited",
  "declined",
  "pending_then_succeeded",
  "pending_then_failed",
  "lost",
  "duplicated",
  "reordered",
] as const;

export async function simulate(
  seed: number,
  stepCount: number,
  log: (line: string) => void,
): Promise<SimulationResult> {
  const random = seededRandom(seed * 7_919);
  const chance = (p: number) => random.fraction() < p;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.fraction() * list.length)] as T;
  const world = await createTestSystem({
    seed,
    // Every second seed: decisions can be undone for a while, as in life.
    tenant: { reviews: { undoMs: seed % 2 === 0 ? 0 : 5_000 } },
  });
  const talks: Talk[] = [];
  const unsent: { talk: Talk; id: string }[] = [];
  const reached = new Set<string>();
  let dashboardRefunds = 0;
  let decided = 0;
  let messages = 0;

  const send = async (talk: Talk, id: string): Promise<void> => {
    const text = talk.sent.get(id) ?? "";
    log(`${talk.scope.customerId}: ${text} (${id})`);
    await world.system.conversations
      .accept(talk.scope, talk.conversation, { clientMessageId: id, text })
      .catch((error: unknown) => {
        // The process died before the client had its answer: it sends again later, with the same ID.
        if (!(error instanceof SimulatedCrash)) throw error;
        unsent.push({ talk, id });
      });
  };

  const crashNext = (name: BoundaryName) => {
    log(`the process will die at ${name}`);
    world.setBoundary((at) => {
      if (at !== name) return;
      reached.add(`crash:${name}`);
      world.setBoundary(() => {});
      throw new SimulatedCrash(name);
    });
  };

  const step = async (): Promise<void> => {
    const roll = random.fraction();
    if (talks.length < 2 || roll < 0.05) {
      const person = pick(PEOPLE);
      const scope = world.scope(person.name, person.tenant);
      talks.push({ scope, conversation: await world.open(scope), sent: new Map() });
    } else if (roll < 0.45) {
      const talk = pick(talks);
      const person = PEOPLE.find(({ name }) => name === talk.scope.customerId);
      const events = await world.events(talk.scope, talk.conversation);
      const quick = events.findLast((event) => event.type === "message" && event.author === "agent")
        ?.quick_replies as string[] | undefined;
      const text =
        talk.sent.size === 0 || chance(quick === undefined ? 0.6 : 0.12)
          ? pick(WISHES).replace("{n}", pick(person?.orders ?? ["1042"]))
          : quick !== undefined && chance(0.85)
            ? quick.includes("Yes") && chance(0.85)
              ? "yes"
              : pick(quick)
            : pick(REPLIES);
      messages += 1;
      const id = `m${messages}`;
      talk.sent.set(id, text);
      await Promise.all(Array.from({ length: chance(0.2) ? 3 : 1 }, () => send(talk, id)));
      // Most of the time the product keeps up; sometimes messages pile up.
      if (chance(0.65)) await world.drain();
    } else if (roll < 0.5) {
      const again = unsent.shift();
      if (again !== undefined) await send(again.talk, again.id);
    } else if (roll < 0.75) {
      const { queue } = world;
      if (chance(0.06)) log(`lost wake-up ${queue.items.shift()?.id}`);
      const doubled = chance(0.15) ? queue.items[0] : undefined;
      if (doubled !== undefined) queue.items.push(doubled);
      const several = chance(0.3) ? 3 : 1;
      await Promise.all(
        Array.from({ length: several }, () => queue.run(Math.floor(random.fraction() * queue.items.length))),
      );
    } else if (roll < 0.82) {
      await world.clock.advance(pick([10, 1_000, 5_000, 20_000, 120_000]));
      if (chance(0.5)) await world.system.recovery.sweep();
    } else if (roll < 0.88) {
      const fault = pick(PROVIDER_FAULTS);
      log(`provider: ${fault}`);
      reached.add(`fault:${fault}`);
      await world.fault(fault, chance(0.3) ? 3 : 1);
    } else if (roll < 0.92) {
      crashNext(pick(BOUNDARY_NAMES));
    } else if (roll < 0.94) {
      log("a new process takes over");
      world.restart();
      await world.queue.work((item) => world.system.worker.handle(item));
    } else if (roll < 0.99) {
      await decide();
    } else if (dashboardRefunds < 1) {
      dashboardRefunds += 1;
      log("somebody refunds 5.00 of #1042 in the provider's dashboard");
      reached.add("dashboard");
      await world.provider.app.request("/v1/refunds", {
        method: "POST",
        headers: {
          authorization: "Bearer sk_test_sandbox",
          "content-type": "application/x-www-form-urlencoded",
        },
        body: "charge=ch_nw_1042&amount=500",
      });
    }
  };

  /** An operator decides what is open, sometimes twice, sometimes from a stale tab. */
  const decide = async (): Promise<void> => {
    for (const tenant of [NORTHWIND, KESTREL]) {
      const scope = tenantScope(tenant);
      const [review] = await world.system.reviews.list(scope, { state: "open", limit: 1 });
      if (review === undefined) continue;
      const decision =
        review.kind === "approval"
          ? pick(["approve", "approve", "approve", "approve_changed", "reject", "hand_back"] as const)
          : pick(["resolve", "resolve", "hand_back"] as const);
      if (decision === "hand_back" && review.kind === "uncertain") continue;
      decided += 1;
      const decisionId = `decision-${decided}`;
      log(`operator: ${decision} ${review.kind}`);
      reached.add(`decision:${decision}`);
      const once = (version: number) =>
        world.system.reviews
          .decide(scope, review.review_id, {
            decision,
            argsHash: review.args_hash,
            version,
            note: decision === "reject" ? "Not this time." : null,
            operator: "olga",
            decisionId,
            amount: decision === "approve_changed" ? "1.00" : null,
          })
          .catch((error: unknown) => {
            if (!(error instanceof Error) || !("code" in error)) throw error;
          });
      await Promise.all(
        chance(0.4)
          ? [once(review.version), once(review.version), once(review.version + 1)]
          : [once(review.version)],
      );
      if (!chance(0.2)) continue;
      log("operator: takes it back");
      reached.add("decision:undo");
      await world.system.reviews
        .undo(scope, review.review_id, { decisionId, operator: "otto" })
        .catch((error: unknown) => {
          if (!(error instanceof Error) || !("code" in error)) throw error;
        });
    }
  };

  for (let n = 0; n < stepCount; n += 1) {
    try {
      await step();
    } catch (error) {
      // A crash that reaches the caller: the process is gone, another one starts.
      if (!(error instanceof SimulatedCrash)) throw error;
      world.restart();
      await world.queue.work((item) => world.system.worker.handle(item));
    }
  }

  // The weather clears: every client has resent, every person has decided, everything settles.
  world.setBoundary(() => {});
  await world.clearFaults();
  world.restart();
  await world.queue.work((item) => world.system.worker.handle(item));
  for (const { talk, id } of unsent.splice(0)) await send(talk, id);
  await world.drain();
  await settle(world, decide);

  for (const tenant of [NORTHWIND, KESTREL])
    for (const action of await world.actions(tenant)) reached.add(`action:${action.state}`);
  const violations = await checkGuarantees(world, talks, dashboardRefunds * 500);
  for (const { error, about } of world.errors)
    violations.push(`unexpected error in ${about}: ${(error as Error).stack ?? String(error)}`);
  await world.close();
  return { steps: stepCount, violations, reached: [...reached] };
}

/** Sweeps over virtual hours, deciding what waits for a person, until nothing is under way. */
async function settle(world: TestSystem, decide: () => Promise<void>): Promise<void> {
  for (let round = 0; round < 60; round += 1) {
    await world.pass(30_000);
    await decide();
    const busy = await Promise.all(
      [NORTHWIND, KESTREL].map((tenant) =>
        world.store.transact(tenantScope(tenant), async (tx) => {
          const actions = await tx
            .selectFrom("actions")
            .select("id")
            .where("state", "in", ["scheduled", "executing", "unknown", "pending", "awaiting_approval"])
            .execute();
          const runs = await tx
            .selectFrom("runs")
            .select("id")
            .where("state", "in", ["queued", "running"])
            .execute();
          return actions.length + runs.length;
        }),
      ),
    );
    if (busy.every((count) => count === 0) && world.queue.items.length === 0) return;
  }
}

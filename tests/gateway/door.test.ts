/** The one door, asked directly: what a proposal comes to when nothing stands between the agent and the gateway. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Consent } from "../../src/agents/agent.ts";
import type { GatewayContext, StoredOffer } from "../../src/gateway/gateway.ts";
import { newId } from "../../src/kernel/ids.ts";
import { ASSURANCE_LEVELS, type Assurance } from "../../src/kernel/scope.ts";
import { TOOLS } from "../../src/tools/registry.ts";
import { createTestSystem, START_MS, type TestSystem } from "../kit/system.ts";

let world: TestSystem;
beforeEach(async () => {
  world = await createTestSystem();
});
afterEach(() => world.close());

const SOCKS = {
  order_id: "1042",
  amount: "24.00",
  items: [{ line_item_id: "li_nw_1042_2", quantity: 2 }],
};
const ONE_PAIR = { ...SOCKS, amount: "12.00", items: [{ line_item_id: "li_nw_1042_2", quantity: 1 }] };

function context(
  more: { offer?: StoredOffer | null; consent?: Consent; assurance?: Assurance } = {},
): GatewayContext {
  const { offer = null, consent = "other", assurance = "authenticated" } = more;
  return {
    scope: world.scope("ada"),
    assurance,
    tenant: { name: "Northwind Outfitters", currency: "USD", timeZone: "America/New_York" },
    language: "en",
    conversationId: newId("conv", world.clock, world.random),
    runId: newId("run", world.clock, world.random),
    signal: new AbortController().signal,
    offer: offer === null ? null : { ...offer, seq: 2, atMs: START_MS },
    consent,
  };
}
const call = (args: unknown, more: Parameters<typeof context>[0] = {}, tool = "process_refund") =>
  world.system.gateway.call(context(more), { type: "call", tool, args });

async function offered(args: unknown): Promise<StoredOffer> {
  const answer = await call(args);
  if (answer.kind !== "offer") throw new Error(`no offer but ${JSON.stringify(answer)}`);
  return answer.offer;
}

describe("G9 an effect needs the customer's own yes", () => {
  test("and without it is an offer, however often it is proposed", async () => {
    const offer = await offered(SOCKS);
    for (const consent of ["other", "no"] as const) {
      expect((await call(SOCKS, { offer, consent })).kind).toBe("offer");
    }
    // A yes that answers nothing is none.
    expect((await call(SOCKS, { consent: "yes" })).kind).toBe("offer");
    expect((await call(SOCKS, { offer, consent: "yes" })).kind).toBe("prepared");
  });

  test("to exactly what was offered: a yes to one pair is none to two, and none to another order", async () => {
    const offer = await offered(ONE_PAIR);
    const more = await call(SOCKS, { offer, consent: "yes" });
    expect(more.kind).toBe("offer");
    const other = await call({ order_id: "1043", amount: "1.00" }, { offer, consent: "yes" });
    expect(other.kind).not.toBe("prepared");
  });
});

describe("what is recorded is decided again under the locks", () => {
  const nothingTaken = {
    refundUnits: new Map(),
    returnUnits: new Map(),
    heldMinor: 0,
    refundedMinor: 0,
    externalMinor: 0,
    refusedByPerson: false,
    isStopped: false,
  };
  async function prepared() {
    const answer = await call(SOCKS, { offer: await offered(SOCKS), consent: "yes" });
    if (answer.kind !== "prepared") throw new Error("not prepared");
    return answer.prepared;
  }

  test("units and money that another took meanwhile stop it", async () => {
    const { decide } = await prepared();
    const nowMs = world.clock.now();
    const history = { refunds: [] };
    expect(decide({ ledger: nothingTaken, history, nowMs })).toMatchObject({ amountMinor: 2_400 });
    for (const taken of [
      { heldMinor: 11_300 },
      { refundedMinor: 11_300 },
      { externalMinor: 9_000 },
      { refundUnits: new Map([["li_nw_1042_2", new Set([0])]]) },
    ]) {
      expect(decide({ ledger: { ...nothingTaken, ...taken }, history, nowMs })).toHaveProperty("stop");
    }
  });

  test("terms that changed under the locks are asked again: what went out alone needs a person now", async () => {
    const { decide } = await prepared();
    const nowMs = world.clock.now();
    const refunds = Array.from({ length: 5 }, () => ({
      atMs: nowMs - 1_000,
      amountMinor: 1,
      currency: "USD",
    }));
    expect(decide({ ledger: nothingTaken, history: { refunds }, nowMs })).toMatchObject({
      stop: { kind: "conflict", code: "order_busy" },
    });
  });
});

describe("whatever an agent asks for", () => {
  test.each(TOOLS.map((tool) => [tool.name, tool.assurance] as const))(
    "%s is for nobody of whom less is sure than it needs",
    async (name, needed) => {
      const args = name === "search_knowledge" ? { question: "returns" } : SOCKS;
      for (const assurance of ASSURANCE_LEVELS.slice(0, ASSURANCE_LEVELS.indexOf(needed))) {
        expect(await call(args, { assurance, consent: "yes" }, name)).toEqual({
          kind: "identity_needed",
          needed,
        });
      }
    },
  );

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a text", "refund 1042"],
    ["a list", [SOCKS]],
    ["an amount that went through floating point", { ...SOCKS, amount: 24 }],
    ["somebody else named in it", { ...SOCKS, customer_id: "grace" }],
    ["another shop named in it", { ...SOCKS, tenant: "kestrel" }],
    ["half a pair", { ...SOCKS, items: [{ line_item_id: "li_nw_1042_2", quantity: 0.5 }] }],
    ["less than no pair", { ...SOCKS, items: [{ line_item_id: "li_nw_1042_2", quantity: -1 }] }],
    ["a path as order", { ...SOCKS, order_id: "../kestrel/1042" }],
  ])("arguments that are %s are invalid, with a yes too", async (_, args) => {
    const offer = await offered(SOCKS);
    expect(await call(args, { offer, consent: "yes" })).toMatchObject({
      kind: "invalid",
      code: "tool_arguments_invalid",
    });
  });
});

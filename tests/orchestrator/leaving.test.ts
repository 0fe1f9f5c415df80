import { describe, expect, test } from "vitest";
import type { StepRecord } from "../../src/agents/agent.ts";
import type { CustomerId } from "../../src/kernel/ids.ts";
import { customerScope } from "../../src/kernel/scope.ts";
import { withheld } from "../../src/orchestrator/leaving.ts";
import { NORTHWIND } from "../kit/database.ts";

const ENGLISH = { language: "en", isShown: true } as const;

const kinds = async (text: string, more: { customer?: string; records?: readonly StepRecord[] } = {}) =>
  (
    await withheld(text, {
      author: "agent",
      scope: customerScope(NORTHWIND, "ada" as CustomerId),
      tenant: { name: "Northwind", currency: "USD", timeZone: "UTC" },
      state: {
        messages: [
          {
            seq: 1,
            at: 0,
            author: "customer",
            text: more.customer ?? "hello",
            offer: null,
            dialogue: null,
            denial: null,
            spoken: ENGLISH,
          },
        ],
        answeredSeq: 0,
        nextSeq: 2,
        ledger: [],
        spoken: ENGLISH,
      },
      actions: [],
      records: more.records ?? [],
      facts: [],
      readPolicyNumbers: async () => ({ days: [], amounts: [] }),
    })
  )?.findings.map(({ kind }) => kind) ?? [];

describe("what an answer may repeat", () => {
  test("an address and a phone number of a passage that answered, and no others", async () => {
    const contact = "Write to help@northwind.example or call +1 503 555 0142.";
    const passage: StepRecord = {
      call: { type: "call", tool: "search_knowledge", args: { query: "phone" } },
      outcome: { kind: "result", value: { answered: true, passages: [{ text: contact }] } },
    };
    expect(await kinds(contact, { records: [passage] })).toEqual([]);
    expect(await kinds(contact)).toEqual(["email", "phone"]);
    expect(await kinds("Write to eve@elsewhere.example.", { records: [passage] })).toEqual(["email"]);
    // Another tool's text publishes nothing.
    const note = { ...passage, call: { ...passage.call, tool: "get_order_status" } };
    expect(await kinds(contact, { records: [note] })).toEqual(["email", "phone"]);
  });

  test("an order number that the customer wrote with the shop's letters before it", async () => {
    const text = "I can't find an order #2702727 in your account.";
    expect(await kinds(text, { customer: "What about #W2702727?" })).toEqual([]);
    expect(await kinds(text, { customer: "What about #92702727?" })).toEqual(["foreign_order"]);
    expect(await kinds(text, { customer: "hello" })).toEqual(["foreign_order"]);
  });
});

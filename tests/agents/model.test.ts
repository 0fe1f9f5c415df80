import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelSandbox } from "../../sandbox/model/server.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { NORTHWIND } from "../kit/database.ts";
import { createModelSystem, type ModelSystem, startModel } from "../kit/model.ts";

let model: ModelSandbox;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.stop());

/** Something that no workflow reads. */
const ODD = "quagga zebra brunch";

async function conversation(product: ModelSystem, customer = "ada") {
  const scope = product.scope(customer);
  const id = await product.open(scope);
  return {
    scope,
    id,
    say: (text: string) => product.say(scope, id, text),
    told: () => product.told(scope, id),
    last: async () => (await product.told(scope, id)).at(-1) ?? "",
  };
}

const runs = (product: ModelSystem) =>
  product.store.transact(tenantScope(NORTHWIND), (tx) =>
    tx.selectFrom("runs").selectAll().orderBy("created_at_ms").orderBy("id").execute(),
  );
const calls = async (product: ModelSystem) => {
  await product.models.settled();
  return product.store.transact(tenantScope(NORTHWIND), (tx) =>
    tx.selectFrom("model_calls").selectAll().orderBy("at_ms").execute(),
  );
};

describe("the tiers", () => {
  test("leave what a workflow understands to it, without asking a model", async () => {
    const product = await createModelSystem(model);
    const ada = await conversation(product);
    await ada.say("where is my order #1042?");
    await ada.say("hello");
    await ada.say("I want a refund for the socks");
    expect(model.requests).toHaveLength(0);
    expect((await runs(product)).map(({ tier, cost_micros }) => [tier, cost_micros])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    await product.close();
  });

  test("ask the small model what no workflow reads, and record tier, model, prompt, tokens and cost", async () => {
    const product = await createModelSystem(model);
    model.script(ODD, { text: "Happy to help with your question about our shop." });
    const ada = await conversation(product);
    await ada.say(ODD);
    expect(await ada.last()).toBe("Happy to help with your question about our shop.");
    const [run] = await runs(product);
    expect(run).toMatchObject({
      state: "completed",
      tier: "small",
      model: "compatible/small",
      model_calls: 1,
    });
    expect(run?.prompt_version).toMatch(/^support\.v1@[0-9a-f]{8}$/);
    const [call] = await calls(product);
    expect(call).toMatchObject({ run_id: run?.id, outcome: "answered", cost_micros: run?.cost_micros });
    expect(run?.cost_micros).toBe(
      Math.ceil(((run?.input_tokens ?? 0) * 250_000 + (run?.output_tokens ?? 0) * 2_000_000) / 1_000_000),
    );
    await product.close();
  });
});

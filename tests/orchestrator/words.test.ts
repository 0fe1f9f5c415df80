import { afterEach, expect, test } from "vitest";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test.each(["is it done?", "any news?", "has it been approved yet?", "where is my money?"])(
  "G2 asked %j while a person decides, the answer is the ledger's own words",
  async (question) => {
    world = await createTestSystem();
    const scope = world.scope("dev");
    const conversation = await world.open(scope);
    await world.say(scope, conversation, "refund order 1055");
    await world.say(scope, conversation, "yes");
    await world.say(scope, conversation, question);
    const told = await world.told(scope, conversation);
    expect(told.at(-1)).toContain("Nothing has been paid out yet");
  },
);

test("a pasted card number is stored by nobody, and is no order number", async () => {
  world = await createTestSystem();
  const scope = world.scope("ada");
  const conversation = await world.open(scope);
  await world.say(scope, conversation, "my card is 4242 4242 4242 4242, refund the socks to it");
  const log = JSON.stringify(await world.events(scope, conversation));
  expect(log).not.toMatch(/4242/);
  expect((await world.told(scope, conversation)).at(-1)).toContain("24.00 USD");
});

test("a customer without orders is told so", async () => {
  world = await createTestSystem();
  const scope = world.scope("eve");
  const conversation = await world.open(scope);
  await world.say(scope, conversation, "what orders do I have");
  expect((await world.reviews()).length).toBe(0);
  expect((await world.told(scope, conversation)).at(-1)).toMatch(/order/i);
});

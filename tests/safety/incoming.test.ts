/** What a customer writes is stored without card numbers and security codes, wherever it goes. `SAFETY_SEED=17` runs a seed again. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelSandbox } from "../../sandbox/model/server.ts";
import { seededRandom } from "../../src/kernel/ports.ts";
import { createLog } from "../../src/log.ts";
import { hasCardNumber } from "../../src/safety/card-numbers.ts";
import { readable, redacted } from "../../src/safety/masking.ts";
import { folded } from "../../src/safety/reading.ts";
import { everythingIn } from "../kit/database.ts";
import { createModelSystem, startModel } from "../kit/model.ts";
import { card, digits, disguised, grouped, NETWORKS, pick } from "./numbers.ts";

const SEED = Number(process.env.SAFETY_SEED ?? 20_261_201);
const bare = (text: string): string => folded(text).text.replace(/[^0-9]/g, "");

describe("a card number is masked", () => {
  test.each([
    "4111 1111 1111 1111",
    "4111111111111111",
    "4111-1111-1111-1111",
    "4111.1111.1111.1111",
    "4111_1111_1111_1111",
    "4111\n1111\n1111\n1111",
    "4111  1111  1111  1111",
    "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
    "４１１１ １１１１ １１１１ １１１１",
    "٤١١١ ١١١١ ١١١١ ١١١١",
    "4\u200b1\u200b1\u200b1\u200b1111\u00a01111\u20111111",
    "4️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣",
    "3782 822463 10005",
    "3056 930902 5904",
    "4222222222222",
    "card:4111111111111111exp1226",
    "4111 1111 1111 1111 1227 123",
    "41111111111111111227123",
    "order 1042 4111 1111 1111 1111 1042",
    "5500 0055 5555 5559 4111 1111 1111 1111",
  ])("%s", (text) => {
    const kept = redacted(`I paid with ${text}, thanks.`);
    expect(kept).toMatch(/^I paid with .*\[card number removed\].*, thanks\.$/su);
    expect(bare(kept)).not.toMatch(/1111111|822463|930902|222222|55555/);
    expect(redacted(kept)).toBe(kept);
  });

  test("of every network, in any grouping, script and company, and with its code", () => {
    const random = seededRandom(SEED);
    for (let round = 0; round < 3_000; round += 1) {
      const network = pick(random, NETWORKS);
      const number = card(random, network);
      const shape = grouped(random, number);
      const shown = pick(random, [shape, disguised(random, shape)]);
      const code = digits(random, number.length === 15 ? 4 : 3);
      const text = pick(random, [
        shown,
        `Card ${shown}.`,
        `order #1042, ${shown}, 2 items`,
        `mi tarjeta es ${shown} cvv ${code}`,
        `${shown} 09/28 ${code}`,
        `${shown}/${code}`,
        `it is 1042 and ${shown} and +1 212 555 0123`,
      ]);
      const kept = redacted(text);
      const why = `seed ${SEED}, ${network[0]}: ${JSON.stringify(text)} → ${JSON.stringify(kept)}`;
      expect(kept.includes("[card number removed]"), why).toBe(true);
      expect(bare(kept).includes(number.slice(-8)), why).toBe(false);
      if (text.includes(code)) expect(bare(kept).endsWith(code), why).toBe(false);
      expect(hasCardNumber(kept), why).toBe(false);
    }
  });
});

describe("what is no card stays as the customer wrote it", () => {
  test.each([
    "order #1042 and #1043, please",
    "orders 4521, 4522, 4523, 4524",
    "tracking 9400 1000 0000 0000 0000 00",
    "tracking 1Z999AA10123456784",
    "my number is +49 1512 3456789",
    "call 0049 151 23456789 or (212) 555-0123",
    "25.00 30.00 45.00 55.00 65.00",
    "DE89 3704 0044 0532 0130 00",
    "EAN 4006381333931",
    "2026-12-01 15:00:00, then 2026-12-03 09:30:00",
    "invoice 2026120115000012",
    "4111 1111 1111 1112",
    "order 1042, size 42, 3 pairs, 12 months",
    "Bestellung 4521 vom 01.12.2026",
    "the code on the box is 8842",
    "pedido 1042: 3 calcetines de 12,50 €",
  ])("%s", (text) => expect(redacted(text)).toBe(text));

  test.each([
    ["my cvv is 123", "my [security code removed]"],
    ["CVC: 1234.", "[security code removed]."],
    ["123 is my cvv", "[security code removed]"],
    ["Prüfziffer 123", "[security code removed]"],
    ["4111 1111 1111 1111, 1042 is my order", "[card number removed], 1042 is my order"],
    ["4111 1111 1111 1111 123", "[card number removed] [security code removed]"],
    ["3782 822463 10005 1234", "[card number removed] [security code removed]"],
  ])("a security code: %s", (text, kept) => expect(redacted(text)).toBe(kept));

  test("an emoji, an accent or half a character beside it is kept whole", () => {
    expect(redacted("é 👩‍👩‍👧 4111111111111111 👩‍👩‍👧 e\u0301")).toBe(
      "é 👩‍👩‍👧 [card number removed] 👩‍👩‍👧 e\u0301",
    );
  });
});

describe("what people of the shop read has no secrets", () => {
  test.each([
    ["my password is Hunter22!", "my password is [secret removed]"],
    ["Passwort: geheim1", "Passwort: [secret removed]"],
    ["key sk_live_abcdefgh12345678", "key [secret removed]"],
    ["SSN 123-45-6789", "[social security number removed]"],
    ["the password reset does not work", "the password reset does not work"],
    ["write to ada@example.com", "write to ada@example.com"],
  ])("%s", (text, kept) => expect(readable(text)).toBe(kept));
});

describe("a conversation full of cards", () => {
  let model: ModelSandbox;
  beforeAll(async () => {
    model = await startModel();
  });
  afterAll(() => model.stop());

  test("leaves none in the database, in the log or in what a model is sent", async () => {
    const random = seededRandom(SEED);
    const lines: string[] = [];
    const log = createLog("trace", { write: (line) => void lines.push(line) });
    const product = await createModelSystem(
      model,
      {},
      { onError: (error, about) => log.error({ err: error, about }, "failed") },
    );
    model.script("zebra", { text: "I see. Is there anything else about your order?" });
    const scope = product.scope("ada");
    const conversation = await product.open(scope);
    const cards: string[] = [];
    const write = async (text: (shown: string) => string, id?: (number: string) => string) => {
      const number = card(random, pick(random, NETWORKS));
      cards.push(number);
      await product.system.conversations.accept(scope, conversation, {
        clientMessageId: id?.(number) ?? digits(random, 12),
        text: text(grouped(random, number)),
      });
      await product.drain();
    };
    await write((shown) => `refund order #1042 to ${shown}`);
    await write(
      (shown) => `yes, to ${shown}`,
      (number) => number,
    );
    await write(
      () => "zebra quagga brunch",
      (number) => number,
    );
    await write(
      (shown) => `zebra quagga ${shown} brunch`,
      (number) => `msg-${number}-1`,
    );
    await write((shown) => `I want to return the socks of #1042 because ${shown} was charged`);
    await write((shown) => `The reason is ${disguised(random, shown)}`);
    await write((shown) => `my lawyer has card ${shown} 12/28 987`);
    await write((shown) => `and while I wait: ${shown}`);
    const rated = card(random, NETWORKS[0] as (typeof NETWORKS)[number]);
    cards.push(rated);
    await product.system.conversations.rate(scope, conversation, {
      score: 1,
      comment: `charge ${rated}!`,
      givenBy: "chat",
    });
    log.error(
      { err: new Error(`Key (text)=(${rated}) exists`), url: `/v1/conversations/${rated}` },
      "failed",
    );

    const rows = await everythingIn(product.store.database);
    const places = { database: rows, log: lines.join("\n"), model: JSON.stringify(model.requests) };
    for (const number of cards) {
      for (const [place, text] of Object.entries(places)) {
        expect(text.replace(/[^0-9]/g, "").includes(number), `seed ${SEED}: ${number} in the ${place}`).toBe(
          false,
        );
      }
    }
    expect(JSON.stringify((await product.events(scope, conversation)).map(({ text }) => text))).not.toContain(
      "987",
    );
    expect(rows.match(/\[card number removed\]/g)?.length).toBeGreaterThan(6);
    expect(model.requests.length).toBeGreaterThan(0);
    expect(lines.length).toBeGreaterThan(0);
    expect(() => lines.map((line) => JSON.parse(line))).not.toThrow();
    await product.close();
  });

  test("is accepted once: the same ID and text again get the same answer, another text is refused", async () => {
    const product = await createModelSystem(model);
    const scope = product.scope("ada");
    const conversation = await product.open(scope);
    const accept = (clientMessageId: string, text: string) =>
      product.system.conversations.accept(scope, conversation, { clientMessageId, text });
    const first = await accept("4111111111111111", "hello 4111111111111111");
    expect(await accept("4111111111111111", "hello 4111111111111111")).toEqual({ ...first, duplicate: true });
    await expect(accept("4111111111111111", "goodbye")).rejects.toMatchObject({
      code: "client_message_id_reused",
    });
    expect(await accept("5500005555555559", "hello again")).toMatchObject({ duplicate: false });
    // An ID that only looks like one is the client's own business.
    const odd = "a-4111111111111111";
    await accept(odd, "hello once more");
    const events = await product.events(scope, conversation);
    expect(events.map(({ client_message_id }) => client_message_id)).toContain(odd);
    await product.close();
  });
});

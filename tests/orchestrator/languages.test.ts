import { afterEach, describe, expect, test } from "vitest";
import { actionText, offerText } from "../../src/actions/wording.ts";
import type { RunId, TenantId } from "../../src/kernel/ids.ts";
import { LANGUAGES, type Language } from "../../src/kernel/language.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { clausesIn } from "../../src/orchestrator/steps.ts";
import { wordsOf } from "../../src/wording/words.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestOptions, type TestSystem } from "../kit/system.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});
const start = async (options: TestOptions = {}): Promise<TestSystem> => {
  world = await createTestSystem(options);
  return world;
};

interface Said {
  readonly refund: string;
  readonly socks: string;
  readonly status: string;
  readonly goBack: string;
  readonly person: string;
}
const SAID: Readonly<Record<Language, Said>> = {
  en: {
    refund: "I would like a refund for order 1044",
    socks: "I would like a refund for order 1042",
    status: "Where is my order 1043?",
    goBack: "I want to return the base layer from order 1044",
    person: "I want to talk to a person",
  },
  es: {
    refund: "Quiero un reembolso del pedido 1044",
    socks: "Quiero un reembolso del pedido 1042",
    status: "¿Dónde está mi pedido 1043?",
    goBack: "Quiero devolver el pedido 1044",
    person: "Quiero hablar con una persona",
  },
  de: {
    refund: "Ich möchte mein Geld zurück für Bestellung 1044",
    socks: "Ich möchte mein Geld zurück für Bestellung 1042",
    status: "Wo ist meine Bestellung 1043?",
    goBack: "Ich möchte Bestellung 1044 zurückschicken",
    person: "Ich will mit einem Menschen sprechen",
  },
  fr: {
    refund: "Je voudrais un remboursement pour la commande 1044",
    socks: "Je voudrais un remboursement pour la commande 1042",
    status: "Où est ma commande 1043 ?",
    goBack: "Je veux retourner la commande 1044",
    person: "Je veux parler à un conseiller",
  },
  pt: {
    refund: "Quero um reembolso da encomenda 1044",
    socks: "Quero um reembolso da encomenda 1042",
    status: "Onde está a minha encomenda 1043?",
    goBack: "Quero devolver a encomenda 1044",
    person: "Quero falar com uma pessoa",
  },
  it: {
    refund: "Vorrei un rimborso per l'ordine 1044",
    socks: "Vorrei un rimborso per l'ordine 1042",
    status: "Dov'è il mio ordine 1043?",
    goBack: "Vorrei restituire l'ordine 1044",
    person: "Vorrei parlare con una persona",
  },
};
const BASE_LAYER = {
  kind: "refund",
  orderNumber: "1044",
  items: "Merino base layer",
  amountMinor: 6_400,
  currency: "USD",
} as const;
const TERMS = { needsApproval: false, shippingMinor: 0, reason: null, changed: false };
describe.each(LANGUAGES)("in %s", (language) => {
  const said = SAID[language];
  const { talk, frame } = wordsOf(language);

  test("a refund: asked, offered, agreed to, paid once, and told when the provider has confirmed it", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, said.refund);
    const offered = offerText({ ...BASE_LAYER, ...TERMS }, language);
    expect(await w.told(scope, conversation)).toEqual([offered]);
    const [offer] = (await w.events(scope, conversation)).filter(({ text }) => text === offered);
    expect(offer?.quick_replies).toEqual([talk.buttons.yes, talk.buttons.no]);
    expect(await w.refunds("1044")).toEqual([]);

    await w.say(scope, conversation, talk.buttons.yes);
    expect(await w.refunds("1044")).toMatchObject([{ amount: 6_400 }]);
    const [action] = await w.actions();
    expect(action).toMatchObject({ state: "succeeded", amount_minor: 6_400 });
    const confirmed = actionText({ ...BASE_LAYER, state: "succeeded" }, {}, language);
    expect((await w.told(scope, conversation)).at(-1)).toBe(confirmed);
    // What clients show, and what is asked for later, are the same words.
    const events = await w.events(scope, conversation);
    expect(events.findLast(({ type }) => type === "action")).toMatchObject({ text: confirmed });
    expect(await w.system.actionView(scope, action?.id ?? "")).toMatchObject({ text: confirmed });
    expect(w.errors).toEqual([]);
  });

  test("a part of an order, chosen by buttons alone", async () => {
    const w = await start();
    const scope = w.scope("ada");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, said.socks);
    for (const button of [talk.buttons.only("Wool socks"), talk.buttons.yes]) {
      const events = await w.events(scope, conversation);
      const last = events.findLast(({ type, author }) => type === "message" && author === "agent");
      expect(last?.quick_replies, String(last?.text)).toContain(button);
      await w.say(scope, conversation, button);
    }
    expect(await w.refunds("1042")).toMatchObject([{ amount: 2_400 }]);
  });

  test("a no leaves everything as it was, and is not taken for a wish for a person", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, said.refund);
    await w.say(scope, conversation, talk.buttons.no);
    expect((await w.told(scope, conversation)).at(-1)).toBe(talk.leftAlone.refund);
    expect(await w.actions()).toEqual([]);
    expect(await w.reviews()).toEqual([]);
  });

  test("where an order is", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, said.status);
    expect((await w.told(scope, conversation)).at(-1)).toContain(
      talk.where.parcel.inTransit("#1043", "Northeast Parcel"),
    );
  });

  test("a return, with its reason from a button, registered once", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, said.goBack);
    await w.say(scope, conversation, talk.buttons.tooSmall);
    const terms = { ...BASE_LAYER, ...TERMS, kind: "return", amountMinor: 0, reason: "Too small" } as const;
    expect((await w.told(scope, conversation)).at(-1)).toBe(offerText(terms, language));
    await w.say(scope, conversation, talk.buttons.yes);
    await w.settle();
    const [action] = await w.actions();
    expect(action).toMatchObject({ kind: "return", state: "succeeded", args: { reason: "Too small" } });
    const { detail } = (action?.evidence ?? {}) as { detail: { instructions: string; labelUrl: string } };
    expect((await w.told(scope, conversation)).at(-1)).toBe(
      wordsOf(language).ledger.return.succeeded(
        { order: "#1044", items: "Merino base layer" },
        detail.instructions,
        detail.labelUrl,
      ),
    );
  });

  test("policy that says no, in the customer's words or quoted, then what can be done", async () => {
    const w = await start();
    const scope = w.scope("cleo");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, said.refund.replace("1044", "1031"));
    const told = (await w.told(scope, conversation)).at(-1) ?? "";
    expect(told).toContain(talk.contestHint);
    if (language === "es")
      expect(told).toMatch(/^Los reembolsos y las devoluciones son posibles en un plazo de 30 días/);
    else {
      expect(told).toContain("Refunds and returns are possible within 30 days of delivery");
      if (language !== "en") expect(told).toContain(frame.inLanguage.en);
    }
    expect(await w.refunds("1031")).toEqual([]);
    await w.say(scope, conversation, talk.buttons.askColleague);
    expect((await w.told(scope, conversation)).at(-1)).toBe(frame.handoff.asked_for_person);
    expect(await w.reviews()).toMatchObject([{ kind: "handoff" }]);
  });

  test("a wish for a person, with who writes and when somebody is there; then the word that it is heard", async () => {
    const hours = { week: { tue: [{ from: "09:00", to: "17:30" }] } };
    const w = await start({ tenant: { aiDisclosure: true, openingHours: hours } });
    const scope = w.scope("ada");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, said.person);
    expect(await w.told(scope, conversation)).toEqual([
      [
        frame.disclosure("Northwind Outfitters"),
        frame.handoff.asked_for_person,
        frame.hours.open("17:30"),
      ].join(" "),
    ]);
    await w.pass(3_600_000);
    await w.say(scope, conversation, "?!");
    expect((await w.told(scope, conversation)).at(-1)).toBe(`${frame.waiting} ${frame.hours.open("17:30")}`);
  });
});

describe("which language", () => {
  const spoken = async (w: TestSystem, tenant: TenantId = NORTHWIND) => {
    const row = await w.store.transact(tenantScope(tenant), (tx) =>
      tx.selectFrom("conversations").select(["language", "language_shown"]).executeTakeFirstOrThrow(),
    );
    return [row.language, row.language_shown];
  };

  test("a shop's own until the customer has shown theirs, in an order number too", async () => {
    const w = await start({ tenant: { language: "it" } });
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, "#1043");
    expect((await w.told(scope, conversation)).at(-1)).toBe(wordsOf("it").talk.whatAboutOrder("#1043"));
    expect(await spoken(w)).toEqual(["it", false]);
    await w.say(scope, conversation, "Hola");
    expect((await w.told(scope, conversation)).at(-1)).toBe(wordsOf("es").talk.greeting(null));
    expect(await spoken(w)).toEqual(["es", true]);
  });

  test.each(["ok", "thanks", "#1042", "1042", "Wool socks", "👍", "yes please", "2", "thank you", "?"])(
    "%j changes nothing in a German conversation",
    async (text) => {
      const w = await start();
      const scope = w.scope("ada");
      const conversation = await w.open(scope);
      await w.say(scope, conversation, SAID.de.socks);
      await w.say(scope, conversation, text);
      expect(await spoken(w)).toEqual(["de", true]);
      const last = (await w.told(scope, conversation)).at(-1) ?? "";
      expect(last).not.toMatch(/\b(?:the|your|you|order|is)\b/i);
    },
  );

  test("a pressed button changes nothing, whatever the shop's titles in it are", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, "Ich möchte mein Geld zurück");
    const events = await w.events(scope, conversation);
    const replies = events.findLast(({ type }) => type === "message")?.quick_replies as string[];
    const button = replies.find((text) => text.includes("#1044"));
    expect(button).toContain("Merino base layer");
    await w.say(scope, conversation, button ?? "");
    expect(await spoken(w)).toEqual(["de", true]);
    expect((await w.told(scope, conversation)).at(-1)).toBe(offerText({ ...BASE_LAYER, ...TERMS }, "de"));
  });

  test("a clear message in another language changes it, and with it the words of the open offer", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, SAID.es.refund);
    await w.say(scope, conversation, "Pardon, je préfère continuer en français, s'il vous plaît");
    const offered = offerText({ ...BASE_LAYER, ...TERMS }, "fr");
    expect((await w.told(scope, conversation)).at(-1)).toBe(offered);
    await w.say(scope, conversation, wordsOf("fr").talk.buttons.yes);
    expect(await w.refunds("1044")).toMatchObject([{ amount: 6_400 }]);
    const confirmed = actionText({ ...BASE_LAYER, state: "succeeded" }, {}, "fr");
    expect((await w.told(scope, conversation)).at(-1)).toBe(confirmed);
  });

  test("a yes in another language than the offer's is a yes to it", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, SAID.pt.refund);
    await w.say(scope, conversation, "yes");
    expect(await w.refunds("1044")).toMatchObject([{ amount: 6_400 }]);
    const confirmed = actionText({ ...BASE_LAYER, state: "succeeded" }, {}, "pt");
    expect((await w.told(scope, conversation)).at(-1)).toBe(confirmed);
  });

  test("a message that mixes two is answered in the one that most of it is in, and refunds once", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, "Hola, I would like a refund for my order 1044 please, gracias");
    expect((await w.told(scope, conversation)).at(-1)).toBe(offerText({ ...BASE_LAYER, ...TERMS }, "en"));
    await w.say(scope, conversation, "sí");
    expect(await w.refunds("1044")).toHaveLength(1);
  });

  test("each of two messages that wait for one run is answered in its own", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    for (const [index, text] of [SAID.it.status, SAID.de.status].entries()) {
      await w.system.conversations.accept(scope, conversation, { clientMessageId: `m${index}`, text });
    }
    await w.drain();
    const told = await w.told(scope, conversation);
    expect(told).toHaveLength(2);
    expect(told[0]).toContain(wordsOf("it").talk.where.parcel.inTransit("#1043", "Northeast Parcel"));
    expect(told[1]).toContain(wordsOf("de").talk.where.parcel.inTransit("#1043", "Northeast Parcel"));
    expect(await spoken(w)).toEqual(["de", true]);
  });

  test("a language that nobody here speaks keeps the one before", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, SAID.es.status);
    await w.say(scope, conversation, "Где мой заказ 1043?");
    expect(await spoken(w)).toEqual(["es", true]);
    expect((await w.told(scope, conversation)).at(-1)).not.toMatch(/\byour?\b/i);
  });

  test("conversations of one customer keep theirs apart, and an older refund is told in the newer one's", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const first = await w.open(scope);
    await w.say(scope, first, SAID.de.refund);
    await w.say(scope, first, "ja");
    const second = await w.open(scope);
    await w.say(scope, second, SAID.es.refund);
    const inSpanish = actionText({ ...BASE_LAYER, state: "succeeded" }, {}, "es");
    expect((await w.told(scope, second)).at(-1)).toBe(inSpanish);
    const cards = (await w.events(scope, second)).at(-2)?.cards as { action: { text: string } }[];
    expect(cards).toMatchObject([{ action: { text: inSpanish } }]);
    const [action] = await w.actions();
    expect((await w.system.actionView(scope, action?.id ?? "")).text).toBe(
      actionText({ ...BASE_LAYER, state: "succeeded" }, {}, "de"),
    );
  });
});

describe("an outcome that is found later", () => {
  test("is told in the language of the conversation, as is that it is still being checked", async () => {
    const w = await start();
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, SAID.es.refund);
    await w.fault("lost", 20);
    await w.fault("timeout_after_accept");
    await w.say(scope, conversation, "sí");
    await w.settle();
    expect(await w.refunds("1044")).toMatchObject([{ amount: 6_400, status: "succeeded" }]);
    const told = await w.told(scope, conversation);
    for (const state of ["unknown", "succeeded"] as const)
      expect(told).toContain(actionText({ ...BASE_LAYER, state }, {}, "es"));
    expect(told).toHaveLength(3);
  });

  test("is told in the language that the conversation has changed to meanwhile", async () => {
    const w = await start();
    const scope = w.scope("dev");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, SAID.it.refund.replace("1044", "1055"));
    await w.say(scope, conversation, "sì");
    await w.say(scope, conversation, "Können wir bitte auf Deutsch weitermachen, wann kommt mein Geld?");
    const [review] = await w.reviews();
    if (review === undefined) throw new Error("no approval is open");
    await w.system.reviews.decide(tenantScope(NORTHWIND), review.review_id, {
      decision: "approve",
      argsHash: review.args_hash,
      version: review.version,
      note: null,
      operator: "op-1",
    });
    await w.settle();
    const lamp = { ...BASE_LAYER, orderNumber: "1055", items: "Headlamp", amountMinor: 4_000 } as const;
    const told = await w.told(scope, conversation);
    expect(told).toContain(actionText({ ...lamp, state: "awaiting_approval" }, {}, "it"));
    expect(told.at(-1)).toBe(actionText({ ...lamp, state: "succeeded" }, {}, "de"));
    expect(await w.refunds("1055")).toMatchObject([{ amount: 4_000 }]);
  });
});

test("a Spanish denial keeps the clause as the policy has it, for the person who takes over", async () => {
  const w = await start();
  const scope = w.scope("cleo");
  const call = {
    type: "call",
    tool: "process_refund",
    args: { order_id: "1031", amount: "58.00" },
  } as const;
  const outcome = await w.system.gateway.call(
    {
      scope,
      assurance: "authenticated",
      tenant: { name: "Northwind Outfitters", currency: "USD", timeZone: "America/New_York" },
      language: "es",
      conversationId: await w.open(scope),
      runId: "run_x" as RunId,
      signal: new AbortController().signal,
      offer: null,
      consent: "other",
    },
    call,
  );
  expect(outcome).toMatchObject({
    kind: "denied",
    explanation: expect.stringMatching(/^Los reembolsos y las devoluciones/),
  });
  expect(clausesIn([{ proposal: call, outcome }])).toMatchObject([
    {
      clause_id: "return-window",
      text: expect.stringMatching(/^Refunds and returns are possible within 30/),
    },
  ]);
});

test("Kestrel says no in German with its own German clause, and cites the version that has it", async () => {
  const w = await start();
  const scope = w.scope("otto", KESTREL);
  const conversation = await w.open(scope);
  await w.say(scope, conversation, "Ich möchte mein Geld zurück für Bestellung 2043");
  const last = (await w.events(scope, conversation)).findLast(({ author }) => author === "agent");
  expect(last?.text).toMatch(/^Diese Bestellung ist noch unterwegs und kann deshalb noch nicht erstattet/);
  expect(last?.citations).toMatchObject([{ policyId: "refunds", version: "2", clauseId: "not-delivered" }]);
  expect(await w.refunds("2043", KESTREL)).toEqual([]);
});

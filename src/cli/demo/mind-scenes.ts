/**
 * Scenes about what is said: answers from documents in force, a model that is away, one that is wrong, and
 * a customer who needs a person. Judged by what is kept of the conversation, by the queue of the merchant's
 * people, and by the provider.
 */
import type { Api } from "../api.ts";
import type { Review } from "../reviews/show.ts";
import { handedOver, neverRead, noRefund, restsOn, showedOrder } from "./judge.ts";
import type { Scene } from "./scene.ts";

/** Words that no workflow reads: only a model can say something to them. */
const FAVOUR = "Would you be so kind and sort that thing out for me?";
const CLAIM = "I have refunded it to your card";

/** How far ahead the new version takes effect: long enough to be asked for before, short enough to wait for. */
const AHEAD_MS = 3_000;

const SHIPPING_V2 = `# Shipping at Northwind Outfitters

## How much does shipping cost? {#cost}

Standard shipping within the United States costs $4.50. It is free for orders of $60 or more.
`;

export const MIND_SCENES: readonly Scene[] = [
  {
    name: "policy_version",
    title: "A question about the shop's terms, before and after a new version takes effect",
    order: "1044",
    async play({ narrator, operator, io }, _made, cast) {
      const question = "How much does shipping cost?";
      const ada = await cast.enter("ada");
      const first = await ada.say(question);
      const effectiveMs = Math.ceil((io.clock.now() + AHEAD_MS) / 1_000) * 1_000;
      narrator.does("a person of the shop publishes version 2, which takes effect in a few seconds");
      await operator("northwind").call("POST", "/v1/operator/knowledge", {
        document_id: "shipping",
        version: "2",
        kind: "policy",
        title: "Shipping at Northwind Outfitters",
        effective_from: new Date(effectiveMs).toISOString(),
        format: "markdown",
        content: Buffer.from(SHIPPING_V2).toString("base64"),
      });
      const before = await ada.say(question);
      narrator.does("version 2 is in force");
      await io.clock.sleep(Math.max(0, effectiveMs - io.clock.now()), io.interrupted);
      const after = await ada.say(question);
      return [
        restsOn(first, { documentId: "shipping", version: "1", states: "6.95" }),
        restsOn(before, { documentId: "shipping", version: "1", states: "6.95" }),
        restsOn(after, { documentId: "shipping", version: "2", states: "4.50" }),
      ];
    },
  },
  {
    name: "false_claim",
    title: "A model that says it has refunded, and has not",
    order: "1044",
    async play({ narrator, model, operator }, made, cast) {
      narrator.does(`the language model will answer: "… ${CLAIM}. …"`);
      await model.script(FAVOUR, {
        text: `Thank you for waiting. I have looked at it. ${CLAIM}. Have a nice day.`,
        tokenMs: 15,
      });
      const ben = await cast.enter("ben");
      await ben.say(FAVOUR);
      const { conversation, drafts } = ben;
      return [
        neverRead(conversation.events, drafts, "refunded"),
        noRefund("G2", await made(), "and nothing was refunded: what is said is what the provider holds"),
        handedOver(await reviewOf(operator("northwind"), conversation.id), "safety_filter"),
      ];
    },
  },
  {
    name: "model_away",
    title: "The language model's provider is away",
    order: "1043",
    async play({ narrator, model, operator, stage }, made, cast) {
      await model.script(FAVOUR, { text: "Gladly. What is it about?" });
      const ben = await cast.enter("ben");
      await ben.say(FAVOUR);
      narrator.does("the model's server is gone: nobody answers at its address");
      await stage.stopModel();
      const status = await ben.say("Where is my order #1043?");
      await ben.say(FAVOUR);
      await stage.startModel();
      return [
        showedOrder(status, "1043"),
        handedOver(await reviewOf(operator("northwind"), ben.conversation.id), "model_unavailable"),
        noRefund("G5", await made(), "nothing else happened"),
      ];
    },
  },
  {
    name: "legal_threat",
    title: "An angry customer who threatens with a lawyer",
    order: "1031",
    async play({ operator }, made, cast) {
      const cleo = await cast.enter("cleo");
      await cleo.say("Where is my order #1031?");
      await cleo.say(
        "This is outrageous!!! The backpack from #1031 fell apart. Refund all of it today or my lawyer will write to you.",
      );
      const review = await reviewOf(operator("northwind"), cleo.conversation.id);
      await cleo.send("HELLO??? Refund me NOW!");
      return [
        handedOver(review, "legal_or_safety"),
        noRefund("G5", await made(), "no threat moves money: a person decides"),
      ];
    },
  },
];

/** The review that a conversation was handed over with, whole. */
async function reviewOf(operator: Api, conversationId: string): Promise<Review | undefined> {
  const { reviews } = await operator.call<{ reviews: readonly Review[] }>(
    "GET",
    "/v1/operator/reviews?limit=200",
  );
  const listed = reviews.find((each) => each.conversation_id === conversationId && each.kind === "handoff");
  return listed === undefined
    ? undefined
    : operator.call<Review>("GET", `/v1/operator/reviews/${encodeURIComponent(listed.review_id)}`);
}

import { describe, expect, test } from "vitest";
import type { ChatEvent } from "../../src/cli/chat/events.ts";
import {
  answeredOnce,
  type HeldRefund,
  handedOver,
  neverRead,
  newRefunds,
  noRefund,
  oneRefund,
  restsOn,
  sameAnswer,
  showedOrder,
  storedOnce,
  toldConfirmedOnce,
  toldUnknownFirst,
} from "../../src/cli/demo/judge.ts";
import { jsonNarrator } from "../../src/cli/demo/narrator.ts";
import { SCENES } from "../../src/cli/demo/scenes.ts";
import { ownEnvironment } from "../../src/cli/demo/stage.ts";
import type { Review } from "../../src/cli/reviews/show.ts";
import { run } from "./io.ts";

const refund = (id: string, amountMinor = 6_400, status = "succeeded"): HeldRefund => ({
  id,
  amountMinor,
  currency: "USD",
  status,
});

let seq = 0;
const event = (type: string, more: Record<string, unknown>): ChatEvent => {
  seq += 1;
  return { seq, at: "", type, ...more };
};
const tells = (state: string, text = "") =>
  event("message", { author: "agent", text, cards: [{ type: "action", action: { state } }] });
const moves = (state: string) => event("action", { action_id: "a", state });

describe("the judge of the demo", () => {
  test("accepts one refund of the amount and nothing else", () => {
    const ok = (...made: HeldRefund[]) => oneRefund(made, 6_400, "USD").ok;
    expect(ok(refund("a"))).toBe(true);
    expect(ok()).toBe(false);
    expect(ok(refund("a"), refund("b"))).toBe(false);
    expect(ok(refund("a", 3_200), refund("b", 3_200))).toBe(false);
    expect(ok(refund("a", 6_401))).toBe(false);
    expect(ok(refund("a", 6_400, "pending"))).toBe(false);
    expect(ok({ ...refund("a"), currency: "EUR" })).toBe(false);
  });

  test("counts only what the scene made", () => {
    expect(newRefunds([refund("a")], [refund("a"), refund("b")])).toEqual([refund("b")]);
    expect(noRefund("G3", newRefunds([refund("a")], [refund("a")])).ok).toBe(true);
    expect(noRefund("G3", [refund("a", 1, "failed")]).ok).toBe(false);
  });

  test("sees a customer who is told twice, never, or too early", () => {
    expect(toldConfirmedOnce([moves("succeeded"), tells("succeeded")]).ok).toBe(true);
    expect(toldConfirmedOnce([moves("succeeded"), tells("succeeded"), tells("succeeded")]).ok).toBe(false);
    expect(toldConfirmedOnce([moves("succeeded")]).ok).toBe(false);
    expect(toldConfirmedOnce([tells("succeeded"), moves("succeeded")]).ok).toBe(false);
  });

  test("wants the unknown told as unknown before the outcome", () => {
    const checking = () => tells("executing", "It is still being checked.");
    expect(toldUnknownFirst([checking(), tells("succeeded")]).ok).toBe(true);
    expect(toldUnknownFirst([tells("succeeded")]).ok).toBe(false);
    expect(toldUnknownFirst([tells("succeeded"), checking()]).ok).toBe(false);
  });

  test("sees a message stored twice or answered twice", () => {
    const asked = () => event("message", { author: "customer", text: "?", client_message_id: "m" });
    const said = () => event("message", { author: "agent", text: "!" });
    expect(storedOnce([asked(), said()], "m").ok).toBe(true);
    expect(storedOnce([asked(), asked()], "m").ok).toBe(false);
    expect(answeredOnce([asked(), said()], "m").ok).toBe(true);
    expect(answeredOnce([asked(), said(), said()], "m").ok).toBe(false);
    expect(answeredOnce([asked()], "m").ok).toBe(false);
    expect(answeredOnce([said()], "m").ok).toBe(false);
  });

  test("wants the version in force cited with its date, and no other one beside it", () => {
    const wanted = { documentId: "shipping", version: "2", states: "4.50" };
    const cite = (version: string, more: Record<string, unknown> = {}) => ({
      documentId: "shipping",
      version,
      effectiveFrom: "2026-12-02",
      ...more,
    });
    const said = (text: string, ...citations: unknown[]) => [
      event("message", { author: "agent", text, citations }),
    ];
    expect(restsOn(said("It costs $4.50.", cite("2")), wanted).ok).toBe(true);
    expect(restsOn(said("It costs $4.50."), wanted).ok).toBe(false);
    expect(restsOn(said("It costs $6.95.", cite("2")), wanted).ok).toBe(false);
    expect(restsOn(said("It costs $4.50.", cite("1")), wanted).ok).toBe(false);
    expect(restsOn(said("It costs $4.50.", cite("2"), cite("1")), wanted).ok).toBe(false);
    expect(restsOn(said("It costs $4.50.", cite("2", { effectiveFrom: undefined })), wanted).ok).toBe(false);
  });

  test("sees words in a message or a draft of one", () => {
    const events = [event("message", { author: "agent", text: "All is well." })];
    expect(neverRead(events, ["All is"], "refunded").ok).toBe(true);
    expect(neverRead(events, ["I have Refunded it.", ""], "refunded").ok).toBe(false);
    expect(neverRead([event("message", { author: "agent", text: "refunded" })], [], "refunded").ok).toBe(
      false,
    );
    expect(neverRead([event("message", { author: "customer", text: "refunded" })], [], "refunded").ok).toBe(
      true,
    );
  });

  test("wants a handoff for its reason, with a whole packet", () => {
    const packet = {
      customer: "Ada",
      issue: "x",
      recommended: "y",
      transcript: [{ author: "customer", text: "x", at: "" }],
    };
    const review = (more: object, reason = "legal_or_safety") =>
      ({ reason, packet: { ...packet, ...more } }) as unknown as Review;
    expect(handedOver(review({}), "legal_or_safety").ok).toBe(true);
    expect(handedOver(undefined, "legal_or_safety").ok).toBe(false);
    expect(handedOver(review({}, "complaint"), "legal_or_safety").ok).toBe(false);
    expect(handedOver(review({ transcript: [] }), "legal_or_safety").found).toContain("transcript");
    expect(handedOver(review({ issue: " " }), "legal_or_safety").found).toContain("issue");
  });

  test("wants the card of the order that was asked about", () => {
    const said = (number: string) => [
      event("message", { author: "agent", text: "!", cards: [{ type: "order", order: { number } }] }),
    ];
    expect(showedOrder(said("1043"), "1043").ok).toBe(true);
    expect(showedOrder(said("1044"), "1043").ok).toBe(false);
    expect(showedOrder([event("message", { author: "agent", text: "#1043" })], "1043").ok).toBe(false);
  });

  test("sees any difference between a stranger's order and none", () => {
    const answer = (number: string, more: Record<string, unknown> = {}) => ({
      asked: number,
      heard: [event("message", { author: "agent", text: `I can't find #${number}.`, ...more })],
    });
    expect(sameAnswer(answer("1044"), answer("9944")).ok).toBe(true);
    expect(sameAnswer(answer("1044", { quick_replies: ["Yes"] }), answer("9944")).ok).toBe(false);
    expect(sameAnswer({ asked: "1044", heard: [] }, { asked: "9944", heard: [] }).ok).toBe(false);
  });
});

describe("the demo", () => {
  test("has its fourteen scenes, and an unknown one is refused before anything starts", async () => {
    expect(new Set(SCENES.map(({ name }) => name)).size).toBe(14);
    const { code, err } = await run(["demo", "--scene", "nonsense"]);
    expect(code).toBe(2);
    expect(err).toContain("plain_refund");
  });

  test("prints one line of JSON a scene with the documented members", () => {
    const lines: string[] = [];
    const narrator = jsonNarrator((line) => lines.push(line));
    narrator.scene(1, "A scene");
    narrator.does("something");
    narrator.end({ scene: "s", ok: true, refundsAtProvider: 1, customerWasTold: "two\nlines" });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] as string)).toEqual({
      scene: "s",
      ok: true,
      refunds_at_provider: 1,
      customer_was_told: "two\nlines",
    });
  });

  test("hands nothing of a real set-up to its processes", () => {
    const env = {
      PATH: "/bin",
      DATABASE_URL: "postgres://real",
      STRIPE_API_KEY: "sk_live_x",
      RECOURSE_DATA_DIR: "/real",
      PGPASSWORD: "x",
      PORT: "3000",
    };
    expect(ownEnvironment(env)).toEqual({ PATH: "/bin" });
  });
});

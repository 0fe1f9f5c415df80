/**
 * What must hold after a scene of the demo, judged from what the provider holds and what the customer
 * saw. Pure: the same checks judge the live demo and made-up evidence in tests.
 */
import { formatMoney } from "../../kernel/money.ts";
import { type ChatEvent, isFromCustomer, isFromShop } from "../chat/events.ts";
import type { Review } from "../reviews/show.ts";
import { plainLine } from "../terminal.ts";

/** A refund as the provider lists it. */
export interface HeldRefund {
  readonly id: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: string;
}

export interface Check {
  readonly guarantee: "G1" | "G2" | "G3" | "G4" | "G5" | "G6" | "G7" | "G8" | "G9";
  readonly claim: string;
  readonly ok: boolean;
  /** What was found, in words; for the one who has to find out why. */
  readonly found: string;
}

export const refundWords = ({ amountMinor, currency, status, id }: HeldRefund): string =>
  `${formatMoney({ amountMinor, currency })} ${status} (${plainLine(id, 40)})`;

const listed = (refunds: readonly HeldRefund[]): string =>
  refunds.length === 0 ? "no refund" : refunds.map(refundWords).join(", ");

/** Refunds that were made between two looks at the provider. */
export function newRefunds(
  before: readonly HeldRefund[],
  after: readonly HeldRefund[],
): readonly HeldRefund[] {
  const known = new Set(before.map(({ id }) => id));
  return after.filter(({ id }) => !known.has(id));
}

/** G1: exactly one refund was made, of this amount, and it went through. */
export function oneRefund(made: readonly HeldRefund[], amountMinor: number, currency: string): Check {
  const [only] = made;
  return {
    guarantee: "G1",
    claim: `the provider holds one refund of ${formatMoney({ amountMinor, currency })}`,
    ok:
      made.length === 1 &&
      only?.amountMinor === amountMinor &&
      only.currency === currency &&
      only.status === "succeeded",
    found: listed(made),
  };
}

export function noRefund(
  guarantee: Check["guarantee"],
  made: readonly HeldRefund[],
  claim = "nothing was refunded",
): Check {
  return { guarantee, claim, ok: made.length === 0, found: listed(made) };
}

/** States of actions that messages told of, in order: what the customer could read in words. */
export function toldStates(events: readonly ChatEvent[]): readonly string[] {
  return events.filter(isFromShop).flatMap((event) =>
    (Array.isArray(event.cards) ? event.cards : []).flatMap((card: unknown) => {
      const { type, action } = (card ?? {}) as { type?: unknown; action?: { state?: unknown } };
      return type === "action" && typeof action?.state === "string" ? [action.state] : [];
    }),
  );
}

/** G2: told of the confirmation once, and not before the provider confirmed it. */
export function toldConfirmedOnce(events: readonly ChatEvent[]): Check {
  const confirmed = toldStates(events).filter((state) => state === "succeeded").length;
  const at = events.find((event) => event.type === "action" && event.state === "succeeded")?.seq;
  const early = events
    .filter(isFromShop)
    .filter((event) => toldStates([event]).includes("succeeded") && (at === undefined || event.seq < at));
  return {
    guarantee: "G2",
    claim: "the customer was told that it is confirmed, once, after the provider confirmed it",
    ok: confirmed === 1 && early.length === 0,
    found: `told ${confirmed} time(s)${early.length > 0 ? ", too early" : ""}`,
  };
}

/** G2: while the outcome was not known, the customer was told just that, and the outcome afterwards. */
export function toldUnknownFirst(events: readonly ChatEvent[]): Check {
  const told = events
    .filter(isFromShop)
    .map((event) => ({ state: toldStates([event])[0], text: saidIn([event]) }));
  const unknown = told.findIndex(({ text }) => text.includes("still being checked"));
  const confirmed = told.findIndex(({ state }) => state === "succeeded");
  return {
    guarantee: "G2",
    claim: 'the customer was told "still being checked" first, then the outcome',
    ok: unknown >= 0 && confirmed > unknown,
    found: told.length === 0 ? "told nothing" : told.map(({ text }) => `"${text}"`).join(", then "),
  };
}

/** G8: sent several times, the message is in the conversation once. */
export function storedOnce(events: readonly ChatEvent[], clientMessageId: string): Check {
  const stored = events.filter(
    (event) => isFromCustomer(event) && event.client_message_id === clientMessageId,
  );
  return {
    guarantee: "G8",
    claim: "the message sent five times is in the conversation once",
    ok: stored.length === 1,
    found: `${stored.length} time(s)`,
  };
}

/** G8: as many answers as messages. */
export function answeredOnce(events: readonly ChatEvent[], clientMessageId: string): Check {
  const asked = events.findIndex((event) => event.client_message_id === clientMessageId);
  const next = events.findIndex((event, index) => index > asked && isFromCustomer(event));
  const answers = events.slice(asked + 1, next === -1 ? undefined : next).filter(isFromShop);
  return {
    guarantee: "G8",
    claim: "it was answered once",
    ok: asked >= 0 && answers.length === 1,
    found: `${answers.length} answer(s)`,
  };
}

/** G3: a stranger's order and one that does not exist get the same answer, but for the number asked for. */
export function sameAnswer(
  ofStranger: { readonly asked: string; readonly heard: readonly ChatEvent[] },
  ofNothing: { readonly asked: string; readonly heard: readonly ChatEvent[] },
): Check {
  const shape = ({ asked, heard }: typeof ofStranger) =>
    JSON.stringify(
      heard.map((event) => {
        const { seq: _seq, at: _at, ...rest } = event;
        return rest;
      }),
    ).replaceAll(asked, "…");
  const ok = ofStranger.heard.length > 0 && shape(ofStranger) === shape(ofNothing);
  return {
    guarantee: "G3",
    claim: "somebody else's order gets the same answer as one that does not exist",
    ok,
    found: ok ? "the same" : `"${saidIn(ofStranger.heard)}" and "${saidIn(ofNothing.heard)}"`,
  };
}

/** G7: what was said rests on this version of this document, says so, and states what stands there. */
export function restsOn(
  heard: readonly ChatEvent[],
  wanted: { readonly documentId: string; readonly version: string; readonly states: string },
): Check {
  const cited = heard
    .filter(isFromShop)
    .flatMap((event) => (Array.isArray(event.citations) ? event.citations : []))
    .map((citation: unknown) => {
      const { documentId, version, effectiveFrom } = (citation ?? {}) as Record<string, unknown>;
      return { documentId, version, since: effectiveFrom };
    });
  const fits = cited.some(
    ({ documentId, version, since }) =>
      documentId === wanted.documentId && version === wanted.version && typeof since === "string",
  );
  return {
    guarantee: "G7",
    claim: `"${wanted.states}" was said, from version ${wanted.version} of "${wanted.documentId}", with the date it took effect`,
    ok:
      fits &&
      cited.every(({ version }) => version === wanted.version) &&
      saidIn(heard).includes(wanted.states),
    found: `"${saidIn(heard)}", citing ${cited.map(({ documentId, version }) => `${documentId} ${version}`).join(", ") || "nothing"}`,
  };
}

/** G2: neither a message nor a draft of one had these words. */
export function neverRead(events: readonly ChatEvent[], drafts: readonly string[], words: string): Check {
  const read = [...events.filter(isFromShop).map((event) => plainLine(event.text, 2_000)), ...drafts];
  const found = read.filter((text) => text.toLowerCase().includes(words.toLowerCase()));
  const taken = drafts.filter((text) => text !== "").length;
  return {
    guarantee: "G2",
    claim: `the customer never read "${words}"${taken > 0 ? ", not even while it was being written" : ""}`,
    ok: found.length === 0,
    found: found.length === 0 ? "nothing of it" : `"${found[0]}"`,
  };
}

/** G5: the answer shows the order that was asked about. */
export function showedOrder(heard: readonly ChatEvent[], number: string): Check {
  const shown = heard.filter(isFromShop).flatMap((event) =>
    (Array.isArray(event.cards) ? event.cards : []).flatMap((card: unknown) => {
      const { type, order } = (card ?? {}) as { type?: unknown; order?: { number?: unknown } };
      return type === "order" ? [String(order?.number)] : [];
    }),
  );
  return {
    guarantee: "G5",
    claim: `order #${number} was answered without any model`,
    ok: shown.includes(number),
    found: saidIn(heard),
  };
}

/** G5: a person has it in the queue, for this reason, with all that is needed to go on. */
export function handedOver(review: Review | undefined, reason: string): Check {
  const packet = review?.packet;
  const missing = Object.entries({
    customer: packet?.customer,
    issue: packet?.issue,
    recommended: packet?.recommended,
    transcript: (packet?.transcript ?? []).length > 0 ? "yes" : "",
  })
    .filter(([, value]) => value === undefined || value.trim() === "")
    .map(([name]) => name);
  return {
    guarantee: "G5",
    claim: `a person has it (${reason}), with customer, issue, what to do and transcript`,
    ok: review?.reason === reason && missing.length === 0,
    found:
      review === undefined
        ? "no handoff"
        : `${review.reason}${missing.length > 0 ? ` without ${missing.join(", ")}` : ""}`,
  };
}

/** The shop's words, one after the other. */
export const saidIn = (events: readonly ChatEvent[]): string =>
  events
    .filter(isFromShop)
    .map((event) => plainLine(event.text, 500))
    .join(" ");

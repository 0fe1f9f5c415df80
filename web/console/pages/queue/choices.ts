/** The ways to decide a review, with the key of each and what is to be written for it. Pure. */
import type { DecisionKind, Review } from "../../api/reviews.ts";

export interface Choice {
  /** Of the command; the kind, where there is one way to decide so. */
  readonly id: string;
  readonly kind: DecisionKind;
  readonly label: string;
  readonly key: string;
  readonly look: "primary" | "plain" | "danger";
  /** What the operator has to write for it. */
  readonly asks?: { readonly label: string; readonly hint: string; readonly field: "note" | "amount" };
}

/** The ways to decide a review of this kind. */
export function choicesFor({ kind, amount }: Review): readonly Choice[] {
  const askCustomer: Choice = {
    id: "ask",
    kind: "ask",
    label: "Ask the customer",
    key: "q",
    look: "plain",
    asks: {
      label: "Question",
      hint: "The customer reads this. The review waits for the answer.",
      field: "note",
    },
  };
  const handBack: Choice = {
    id: "hand_back",
    kind: "hand_back",
    label: "Back to the assistant",
    key: "b",
    look: "plain",
  };
  if (kind !== "approval") {
    const resolve = { id: "resolve", kind: "resolve", label: "Resolved", key: "a", look: "primary" } as const;
    const answer: Choice = {
      id: "answer",
      kind: "resolve",
      label: "Answer and resolve",
      key: "r",
      look: "plain",
      asks: {
        label: "Answer",
        hint: "The customer reads this, and the conversation ends.",
        field: "note",
      },
    };
    return kind === "handoff" ? [resolve, answer, askCustomer, handBack] : [resolve, askCustomer];
  }
  return [
    { id: "approve", kind: "approve", label: "Approve", key: "a", look: "primary" },
    {
      id: "reject",
      kind: "reject",
      label: "Reject",
      key: "r",
      look: "danger",
      asks: { label: "Reason", hint: "The customer reads this.", field: "note" },
    },
    ...(amount === null
      ? []
      : [
          {
            id: "approve_changed",
            kind: "approve_changed",
            label: "Another amount",
            key: "c",
            look: "plain",
            asks: {
              label: "Amount",
              hint: "At most what was asked for. It is checked anew.",
              field: "amount",
            },
          } as const,
        ]),
    askCustomer,
    handBack,
  ];
}

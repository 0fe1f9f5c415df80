/** Shapes of reviews: the queue, one review, claims, decisions and their undoing. */
import { z } from "@hono/zod-openapi";
import { PRIORITIES } from "../../actions/reviews/priority.ts";
import { APPROVAL_REASONS, DECISIONS } from "../../actions/reviews/reviews.ts";
import { FIRST_STEPS } from "../../agents/escalation.ts";
import { LANGUAGES } from "../../kernel/language.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { EXAMPLE } from "./schemas.ts";

const instant = z.iso.datetime().openapi({ description: "RFC 3339, UTC.", example: EXAMPLE.at });
const KINDS = ["approval", "handoff", "uncertain"] as const;
const STATES = ["open", "waiting", "decided", "expired", "withdrawn"] as const;

export const reviewParams = z.object({
  review_id: z.string().openapi({ description: "A review of your tenant.", example: EXAMPLE.review }),
});

/** A page size from a query: decimal text. */
export const pageLimit = (max: number, usual: number) =>
  z
    .string()
    .regex(/^\d{1,4}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(1).max(max))
    .optional()
    .openapi({ type: "integer", minimum: 1, maximum: max, description: `${usual} unless stated.` });

export const cursorParameter = z
  .string()
  .max(300)
  .optional()
  .openapi({ description: "`next_cursor` of the page before; the same filters go with it." });

const shortText = (what: string) => z.string().min(1).max(128).optional().openapi({ description: what });

export const reviewQuery = z.object({
  state: z
    .enum([...STATES, "active", "all"])
    .optional()
    .openapi({
      description: "`open` unless stated; `active` are those that are open or wait for the customer.",
    }),
  kind: z.enum(KINDS).optional(),
  priority: z.enum(PRIORITIES).optional(),
  reason: shortText("The code of why it came here, such as `amount_over_limit`."),
  language: z.enum(LANGUAGES).optional(),
  customer_id: shortText("Of one customer."),
  order_number: shortText("About one order."),
  conversation_id: shortText("Of one conversation."),
  claim: z.enum(["mine", "free", "others"]).optional(),
  overdue: z.enum(["true"]).optional().openapi({ description: "`true`: only those whose time is over." }),
  cursor: cursorParameter,
  limit: pageLimit(LIMITS.reviewsPerPage, 50),
});

const decisionRecord = z
  .object({
    decision_id: z.string(),
    decision: z.enum(DECISIONS),
    decided_by: z.string(),
    at: z.string(),
    note: z.string().nullable(),
    amount: z.string().nullable(),
  })
  .openapi("ReviewDecision");

const itemFields = {
  review_id: z.string(),
  kind: z.enum(KINDS),
  state: z
    .enum(STATES)
    .openapi({ description: "`waiting`: for the customer's answer to a person's question." }),
  version: z.int().openapi({ description: "Name it in the decision: what you decide on is what you saw." }),
  reason: z.string().openapi({
    description: `Why it came here. Approvals: ${APPROVAL_REASONS.join(", ")}; handoffs: ${Object.keys(FIRST_STEPS).join(", ")}; uncertain outcomes: refund_failed, refund_appeared, outcome_uncertain. A later version may have more.`,
  }),
  priority: z.enum(PRIORITIES),
  conversation_id: z.string(),
  customer_id: z.string(),
  language: z.string().nullable().openapi({ description: "ISO 639-1: what the customer is answered in." }),
  action_id: z.string().nullable(),
  args_hash: z.string().nullable().openapi({
    description: "Hash of the arguments that an approval binds to; null when there is no action.",
  }),
  order_number: z.string().nullable(),
  amount: z.string().nullable().openapi({ description: "Decimal text; null when no money is meant." }),
  currency: z.string().nullable(),
  sla: z
    .object({
      due_at: instant.nullable(),
      left_ms: z.int(),
      running: z.boolean(),
      overdue: z.boolean(),
    })
    .openapi("ReviewClock", {
      description:
        "Runs in opening hours only, and stands still while the customer is asked. `left_ms` is opening time; negative once it is over.",
    }),
  claim: z
    .object({ by: z.string(), until: instant })
    .nullable()
    .openapi({ description: "Who works on it now; a claim frees itself." }),
  approvals_needed: z.union([z.literal(1), z.literal(2)]),
  first_approval: z.object({ by: z.string(), at: z.string(), amount: z.string().nullable() }).nullable(),
  asked: z
    .object({
      question: z.string(),
      by: z.string(),
      at: z.string(),
      answer: z.string().nullable(),
      answered_at: z.string().nullable(),
    })
    .nullable(),
  decision: decisionRecord.nullable(),
  undo_until: instant.nullable().openapi({
    description:
      "Until then the decision can be undone and has had no effect; null when there is nothing to undo.",
  }),
  created_at: instant,
  expires_at: instant.nullable(),
};

export const reviewItem = z.object(itemFields).openapi("ReviewItem");
export const reviewPage = z
  .object({
    reviews: z.array(reviewItem),
    next_cursor: z.string().nullable().openapi({ description: "Null on the last page." }),
  })
  .openapi("ReviewPage");

const packet = z
  .looseObject({
    customer: z.string(),
    issue: z.string(),
    tried: z.array(z.string()),
    recommended: z.string(),
    clauses: z.array(
      z.object({
        clause_id: z.string(),
        title: z.string(),
        text: z.string(),
        policy: z.string(),
        version: z.string(),
      }),
    ),
    facts: z.looseObject({}).nullable(),
    amount: z.string().nullable(),
    order_number: z.string().nullable(),
    transcript: z.array(z.object({ author: z.string(), text: z.string(), at: z.string() })),
  })
  .openapi("ReviewPacket");

const fieldChange = z
  .object({ field: z.string(), seen: z.unknown(), now: z.unknown() })
  .openapi("FieldChange");

export const review = z
  .object({
    ...itemFields,
    packet,
    changes: z
      .array(
        z.object({
          version: z.int(),
          at: z.string(),
          what: z.string(),
          by: z.string(),
          fields: z.array(fieldChange),
        }),
      )
      .openapi({ description: "What made each version since it was opened, oldest first." }),
    rules: z
      .array(
        z.object({
          clause_id: z.string(),
          title: z.string(),
          text: z.string(),
          result: z.enum(["permits", "forbids", "needs_person", "no_objection"]),
          inputs: z.array(z.object({ name: z.string(), value: z.unknown() })),
        }),
      )
      .openapi({
        description: "Each clause with the facts and limits that its rules read; those that decided first.",
      }),
    signals: z
      .array(
        z.object({
          signal: z.enum([
            "charge_disputed",
            "rejected_before",
            "same_order_before",
            "refunds_before",
            "denied_before",
            "open_elsewhere",
            "only_order",
            "valued_customer",
          ]),
          count: z.int().nullable(),
          amount: z.string().nullable().openapi({ description: "Decimal text in `currency`." }),
          currency: z.string().nullable(),
        }),
      )
      .openapi({
        description:
          "What speaks for looking twice, the weightiest first; counts are of the customer's last 90 days. None of it decides anything.",
      }),
    draft_reply: z
      .string()
      .openapi({ description: "What the customer could be written, in their language: for you to change." }),
    tenant_currency: z
      .string()
      .openapi({ description: "What the customer's lifetime spend, and limits of it, are in." }),
  })
  .openapi("Review");

const counts = <const K extends readonly string[]>(names: K) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.int()])) as Record<K[number], z.ZodInt>);
export const reviewCounts = z
  .object({
    open: z.int(),
    waiting: z.int(),
    overdue: z.int(),
    unclaimed: z.int(),
    mine: z.int().openapi({ description: "Claimed by you." }),
    by_kind: counts(KINDS),
    by_priority: counts(PRIORITIES),
    by_reason: z.record(z.string(), z.int()),
  })
  .openapi("ReviewCounts");

/** Text without NUL, which the database cannot hold, and without halves of surrogate pairs. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed().trim();

export const clientId = (what: string) =>
  z
    .string()
    .max(LIMITS.decisionIdChars)
    .regex(/^[\x21-\x7e]+$/, "must be 1 or more printable ASCII characters without spaces")
    .openapi({ description: what, example: "b1946ac9-2492-4d23-b1f8-9a3c1b7a0002" });

export const decisionBody = z
  .strictObject({
    decision: z.enum(DECISIONS).openapi({
      description:
        "An approval takes `approve`, `approve_changed` (with a smaller `amount`, as a new action), `reject`, `ask` and `hand_back`; a handoff `resolve`, `ask` and `hand_back`; an uncertain outcome `resolve` and `ask`.",
      example: "approve",
    }),
    decision_id: clientId(
      "Chosen by the client, new for each decision. Sent again, the same decision is answered and not done again.",
    ).optional(),
    args_hash: z
      .string()
      .max(128)
      .nullable()
      .optional()
      .openapi({ description: "The review's `args_hash`, as you saw it.", example: EXAMPLE.argsHash }),
    version: z.int().min(0).openapi({ description: "The review's `version`, as you saw it.", example: 1 }),
    amount: z
      .string()
      .max(20)
      .nullable()
      .optional()
      .openapi({ description: "For `approve_changed`: decimal text, less than what was asked for." }),
    note: z
      .string()
      .max(LIMITS.noteChars)
      .transform(storable)
      .nullable()
      .optional()
      .openapi({
        type: ["string", "null"],
        maxLength: LIMITS.noteChars,
        description:
          "What the customer reads: the reason of a rejection, the question of `ask`, your answer to a handoff. For the others it is kept with the decision.",
      }),
  })
  .openapi("Decide");

export const undoBody = z
  .strictObject({ decision_id: clientId("Of the decision that is taken back.") })
  .openapi("UndoDecision");

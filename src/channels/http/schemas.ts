/** Shapes of requests and answers: zod schemas that check and, with their examples, describe. */
import { z } from "@hono/zod-openapi";
import { ERROR_CODES } from "../../kernel/error-codes.ts";
import type { ErrorCode } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";

export const EXAMPLE = {
  conversation: "conv_019a5f10-7c1e-7a53-9d0a-3f2b8c6d1e47",
  run: "run_019a5f10-7d02-7b1c-8e4f-5a6b7c8d9e0f",
  attachment: "att_019a5f10-7c9a-7b21-8a10-4d5e6f708192",
  action: "act_019a5f10-8a11-7c3d-9f20-6b7c8d9e0f1a",
  review: "rev_019a5f10-9b22-7d4e-8a31-7c8d9e0f1a2b",
  argsHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  at: "2026-03-02T10:15:30.123Z",
} as const;

const instant = z.iso.datetime().openapi({ description: "RFC 3339, UTC.", example: EXAMPLE.at });

/** IDs are checked for shape by the guard, which answers `not_found`: the schema takes any text. */
const id = (example: string, what: string) => z.string().openapi({ description: what, example });

export const conversationParams = z.object({
  conversation_id: id(EXAMPLE.conversation, "A conversation of yours."),
});
export const runParams = z.object({ run_id: id(EXAMPLE.run, "A run of one of your conversations.") });
export const actionParams = z.object({ action_id: id(EXAMPLE.action, "An action made for you.") });

export const cursorQuery = z.object({
  after_seq: z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number of zero or more")
    .transform(Number)
    .optional()
    .openapi({
      type: "integer",
      minimum: 0,
      description: "Answer with events after this `seq`. 0, the default, starts at the first event.",
      example: 4,
    }),
});

export const opened = z.object({ conversation_id: z.string() }).openapi("ConversationOpened");

export const openBody = z.strictObject({}).openapi("OpenConversation");

export const messageBody = z
  .strictObject({
    client_message_id: z
      .string()
      .max(LIMITS.clientMessageIdChars)
      .regex(/^[\x21-\x7e]+$/, "must be 1 or more printable ASCII characters without spaces")
      .openapi({
        description:
          "Chosen by the client, new for each message. Sent again with the same text, the message is stored once and gets the same answer.",
        example: "b1946ac9-2492-4d23-b1f8-9a3c1b7a0001",
      }),
    text: z.string().openapi({
      description: `At most ${LIMITS.messageChars} characters, with at least one visible.`,
      minLength: 1,
      maxLength: LIMITS.messageChars,
      example: "I would like a refund for order #1042.",
    }),
    attachments: z
      .array(z.string().max(60))
      .max(LIMITS.attachmentsPerMessage)
      .optional()
      .openapi({ description: "IDs from `POST …/attachments`.", example: [] }),
  })
  .openapi("SendMessage");

export const attachment = z.object({
  attachment_id: z.string(),
  type: z.enum(["image/jpeg", "image/png", "image/webp"]),
  width: z.int(),
  height: z.int(),
});

export const messageAccepted = z
  .object({
    run_id: z.string().nullable().openapi({
      description: "The run that will answer; null while the conversation is with a person.",
    }),
    seq: z.int().openapi({ description: "The message's place in the conversation." }),
  })
  .openapi("MessageAccepted");

export const conversation = z
  .object({
    conversation_id: z.string(),
    status: z.enum(["open", "with_agent", "with_person", "resolved"]),
    last_seq: z.int().openapi({ description: "`seq` of the newest event; 0 when there is none." }),
    created_at: instant,
    transcript_by_mail: z.boolean().openapi({
      description: "Whether you can have it sent to you by mail once it has ended: see `POST …/transcript`.",
    }),
    transcript_by_address: z.boolean().openapi({
      description:
        "Whether you can have it sent to an address that you name once it has ended: see `POST …/transcript-address`.",
    }),
  })
  .openapi("Conversation");

const eventBase = { seq: z.int(), at: instant };
export const event = z
  .discriminatedUnion("type", [
    z
      .looseObject({
        ...eventBase,
        type: z.literal("message"),
        author: z.enum(["customer", "agent", "operator", "system"]),
        text: z.string(),
        client_message_id: z.string().optional(),
        attachments: z.array(z.looseObject({})).optional(),
        cards: z.array(z.looseObject({})).optional(),
        citations: z.array(z.looseObject({})).optional(),
        identity_needed: z.boolean().optional(),
        quick_replies: z.array(z.union([z.string(), z.looseObject({})])).optional(),
      })
      .openapi("MessageEvent", {
        description: "A client that knows only this kind of event is still told everything.",
      }),
    z
      .looseObject({
        ...eventBase,
        type: z.literal("action"),
        action_id: z.string(),
        kind: z.enum(["refund", "return"]),
        state: z.string(),
        amount: z.string().optional(),
        currency: z.string().optional(),
        order_number: z.string().optional(),
        text: z.string().openapi({ description: "What may be said of it now." }),
      })
      .openapi("ActionEvent"),
    z
      .looseObject({ ...eventBase, type: z.literal("run"), run_id: z.string(), state: z.string() })
      .openapi("RunEvent"),
    z.looseObject({ ...eventBase, type: z.literal("status"), status: z.string() }).openapi("StatusEvent"),
  ])
  .openapi("Event");

export const eventPage = z
  .object({
    events: z.array(event),
    last_seq: z.int().openapi({
      description:
        "`seq` of the last event here: the next `after_seq`. The cursor itself when there is none.",
    }),
    more: z.boolean().openapi({ description: "True when there may be more events after these." }),
  })
  .openapi("EventPage");

export const run = z
  .object({
    run_id: z.string(),
    conversation_id: z.string(),
    state: z.enum(["queued", "running", "completed", "handed_off", "cancelled", "expired", "failed"]),
    cause: z.enum(["message", "action"]),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("Run");

export const action = z
  .object({
    action_id: z.string(),
    kind: z.enum(["refund", "return"]),
    state: z.string().openapi({ example: "succeeded" }),
    order_id: z.string(),
    order_number: z.string().openapi({ example: "1042" }),
    amount: z.string().openapi({
      description: "Decimal text in the currency's decimals; `0.00` for a return.",
      example: "113.00",
    }),
    currency: z.string().openapi({ example: "USD" }),
    items: z.string().openapi({ example: "1 × Trail jacket, 2 × Wool socks" }),
    text: z.string().openapi({
      description: "What is known of it, for the customer; says what the provider has confirmed and no more.",
    }),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("Action");

/** Text without NUL, which the database cannot hold, and without halves of surrogate pairs. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed().trim();

export const visitorBody = z
  .strictObject({
    tenant: z.string().max(64).openapi({ example: "northwind" }),
    token: z
      .string()
      .max(LIMITS.tokenBytes)
      .optional()
      .openapi({ description: "The one they had: they stay the same visitor." }),
  })
  .openapi("NewVisitor");
export const visitor = z
  .object({ token: z.string(), visitor_id: z.string(), expires_at: instant })
  .openapi("Visitor");
export const transcriptAddressBody = z
  .strictObject({ address: z.string().max(LIMITS.tokenBytes).openapi({ example: "ada@example.com" }) })
  .openapi("TranscriptAddress");
export const adoptBody = z
  .strictObject({ visitor_token: z.string().max(LIMITS.tokenBytes) })
  .openapi("AdoptConversation");

export const ended = z
  .object({ conversation_id: z.string(), status: z.literal("resolved") })
  .openapi("ConversationEnded");

export const csatBody = z
  .strictObject({
    score: z.int().min(1).max(5).openapi({ example: 5 }),
    comment: z
      .string()
      .max(LIMITS.noteChars)
      .transform(storable)
      .nullable()
      .optional()
      .openapi({ type: ["string", "null"], maxLength: LIMITS.noteChars, example: "Quick and clear." }),
  })
  .openapi("Rating");
export const csatGiven = z.object({ conversation_id: z.string(), score: z.int() }).openapi("RatingGiven");

export const actionRecord = z
  .looseObject({
    action_id: z.string(),
    kind: z.enum(["refund", "return"]),
    state: z.string(),
    order_number: z.string(),
    amount: z.string(),
    currency: z.string(),
    items: z.string(),
    args_hash: z.string(),
    decision: z.looseObject({}).openapi({
      description: "As stored with the action: the verdict with policy version and clauses, and the facts.",
    }),
    proposed_by: z.string(),
    approved_by: z.string().nullable(),
    provider_ref: z.string().nullable(),
    timeline: z
      .array(
        z.object({
          at: z.string(),
          from: z.string(),
          to: z.string(),
          because: z.string(),
          by: z.string(),
          version: z.int(),
          provider_ref: z.string().nullable(),
        }),
      )
      .openapi({ description: "Each state that it came to, with why and by whom, oldest first." }),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("ActionRecord");

const ACTION_STATES = [
  "denied",
  "awaiting_approval",
  "rejected",
  "expired",
  "scheduled",
  "cancelled",
  "executing",
  "pending",
  "unknown",
  "needs_person",
  "succeeded",
  "failed",
] as const;
export const ledgerQuery = z.object({
  state: z.enum(ACTION_STATES).optional(),
  kind: z.enum(["refund", "return"]).optional(),
  customer_id: z.string().min(1).max(128).optional(),
  order_number: z.string().min(1).max(128).optional(),
  conversation_id: z.string().min(1).max(128).optional(),
  cursor: z.string().max(300).optional().openapi({ description: "`next_cursor` of the page before." }),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(1).max(LIMITS.actionsPerPage))
    .optional()
    .openapi({
      type: "integer",
      minimum: 1,
      maximum: LIMITS.actionsPerPage,
      description: "50 unless stated.",
    }),
});
export const ledgerPage = z
  .object({
    actions: z.array(
      z
        .object({
          action_id: z.string(),
          kind: z.enum(["refund", "return"]),
          state: z.enum(ACTION_STATES),
          customer_id: z.string(),
          conversation_id: z.string(),
          order_number: z.string(),
          amount: z.string(),
          currency: z.string(),
          items: z.string(),
          proposed_by: z.string(),
          approved_by: z.string().nullable(),
          provider_ref: z.string().nullable(),
          created_at: instant,
          updated_at: instant,
        })
        .openapi("LedgerItem"),
    ),
    next_cursor: z.string().nullable(),
  })
  .openapi("LedgerPage");

export const auditQuery = z.object({
  after_n: z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number of zero or more")
    .transform(Number)
    .optional()
    .openapi({ type: "integer", minimum: 0, description: "Answer with entries after this number." }),
});
/** Which part of the log; without any, all of it. */
export const auditPart = {
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional().openapi({ description: "Not included." }),
  customer_id: z.string().min(1).max(LIMITS.subjectChars).optional(),
  order_number: z.string().min(1).max(100).optional().openapi({
    description: "Entries about its refunds and returns, and about their reviews.",
  }),
};
export const auditPartQuery = auditQuery.extend(auditPart);
export const auditExportQuery = auditPartQuery.extend({
  format: z.enum(["jsonl", "csv"]).optional().openapi({ description: "`jsonl` unless stated." }),
});
export const auditPage = z
  .object({
    entries: z.array(
      z
        .object({
          n: z.int(),
          at_ms: z.int(),
          kind: z.string(),
          subject: z.string(),
          customer_id: z.string().openapi({ description: "`*`: it concerns no customer." }),
          body: z.looseObject({}),
          prev_hash: z.string(),
          hash: z.string(),
          texts: z
            .record(z.string(), z.object({ salt: z.string(), text: z.string() }))
            .optional()
            .openapi({
              description:
                "What people wrote. `body.texts` has the hashes; a hash without its text is of a customer who was erased.",
            }),
        })
        .openapi("AuditEntry"),
    ),
    last_n: z.int(),
    more: z.boolean(),
  })
  .openapi("AuditPage");
export const auditCheckpoint = z
  .object({
    format: z.literal("recourse-audit-checkpoint-v1"),
    tenant: z.string(),
    n: z.int().openapi({ description: "Number of the last entry." }),
    hash: z.string(),
    at: instant,
    key: z.string().openapi({ description: "The public key of Ed25519, base64url." }),
    signature: z.string().openapi({ description: "base64url." }),
  })
  .openapi("AuditCheckpoint");

export const webhookTaken = z.object({ outcome: z.string() }).openapi("WebhookTaken");

export const healthy = z.object({ status: z.literal("ok") }).openapi("Health");
export const readiness = z
  .object({
    ready: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
  })
  .openapi("Readiness");

export const demoTokenBody = z
  .strictObject({
    customer: z.string().min(1).max(LIMITS.subjectChars).openapi({ example: "ada" }),
    tenant: z.string().min(1).max(64).optional().openapi({
      description: "Needed only for a customer that several tenants have.",
      example: "northwind",
    }),
  })
  .openapi("DemoTokenRequest");
export const demoToken = z
  .object({ token: z.string(), customer_id: z.string(), tenant: z.string(), expires_at: instant })
  .openapi("DemoToken");

export const problem = z
  .looseObject({
    type: z.string().openapi({ description: "The page of this error." }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
    next: z.string().openapi({ description: "What to do now." }),
    request_id: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .openapi("Problem");

/** Shapes of operators' work with conversations: lists, one from the inside, what stands beside it, canned replies. */
import { z } from "@hono/zod-openapi";
import { LANGUAGES } from "../../../kernel/language.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { VARIABLES } from "../../../operators/desk/canned-text.ts";
import { clientId, cursorParameter, pageLimit } from "../review-schemas.ts";
import { EXAMPLE } from "../schemas.ts";

export const SAMPLE = {
  operator: "olivia@northwind.example",
  note: "note_019a5f10-ac33-7d4e-8a31-7c8d9e0f1a2b",
  reply: "rpl_019a5f10-bd44-7e5f-9b42-8d9e0f1a2b3c",
  clientNote: "b1946ac9-2492-4d23-b1f8-9a3c1b7a0004",
  clientMessage: "b1946ac9-2492-4d23-b1f8-9a3c1b7a0003",
} as const;

const instant = z.iso.datetime().openapi({ description: "RFC 3339, UTC.", example: EXAMPLE.at });
const status = z.enum(["open", "with_agent", "with_person", "resolved"]);
const language = z.enum(LANGUAGES);
const filter = (what: string, max = 128) =>
  z.string().min(1).max(max).optional().openapi({ description: what });
/** Text without NUL, which the database cannot hold, and without halves of surrogate pairs. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed().trim();

export const conversationParams = z.object({
  conversation_id: z.string().openapi({
    description: "A conversation of your tenant.",
    example: EXAMPLE.conversation,
  }),
});
export const replyParams = z.object({
  reply_id: z.string().openapi({ description: "A canned reply of your tenant.", example: SAMPLE.reply }),
});
export const nothing = z.strictObject({});

export const conversationQuery = z.object({
  q: filter("Words as they stand in a message; case does not count.", LIMITS.searchChars),
  order_number: filter("With a refund, return or review about this order."),
  customer_id: filter("Of one customer."),
  status: status.optional(),
  language: language.optional(),
  tag: filter("With this tag.", LIMITS.tagChars),
  assignee: filter("`me`, `nobody`, or who decisions are recorded for."),
  cursor: cursorParameter,
  limit: pageLimit(LIMITS.conversationsPerPage, 50),
});

const itemFields = {
  conversation_id: z.string(),
  customer_id: z.string(),
  channel: z.enum(["chat", "email"]),
  status,
  language,
  assignee: z.string().nullable(),
  tags: z.array(z.string()),
  last_message: z
    .object({ author: z.string(), text: z.string(), at: z.string() })
    .nullable()
    .openapi({ description: "The start of what was said last." }),
  open_reviews: z.array(z.object({ review_id: z.string(), kind: z.string() })),
  created_at: instant,
  updated_at: instant,
};
export const conversationPage = z
  .object({
    conversations: z.array(z.object(itemFields).openapi("ConversationItem")),
    next_cursor: z.string().nullable().openapi({
      description: "Null on the last page. A search may find nothing in what it has read and still go on.",
    }),
  })
  .openapi("ConversationPage");

export const note = z
  .object({ note_id: z.string(), author: z.string(), text: z.string(), at: instant })
  .openapi("InternalNote", { description: "For operators; never in the customer's log." });
export const draft = z
  .object({ text: z.string(), version: z.int(), updated_at: instant })
  .openapi("AnswerDraft");

export const conversationInside = z
  .object({
    ...itemFields,
    assurance: z.string(),
    last_seq: z.int(),
    answered_seq: z.int(),
    rating: z
      .object({
        score: z.int(),
        comment: z.string().nullable(),
        solved_by: z.enum(["agent", "person"]),
        is_latest: z.boolean().openapi({
          description: "Of how it stands now; one that went on can be rated again when it ends.",
        }),
      })
      .nullable(),
    notes: z.array(note),
    draft: draft.nullable().openapi({ description: "Your own unfinished answer." }),
  })
  .openapi("ConversationInside");

export const eventQuery = z.object({
  after_seq: z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number of zero or more")
    .transform(Number)
    .optional()
    .openapi({ type: "integer", minimum: 0, description: "Answer with events after this `seq`." }),
});
export const insideEvents = z
  .object({
    events: z.array(
      z
        .object({
          seq: z.int(),
          at: z.string(),
          type: z.string(),
          author: z.string().nullable(),
          payload: z.looseObject({}).openapi({ description: "As the customer sees it." }),
          internal: z.unknown().openapi({
            description: "What the customer does not see: the run that answered, who wrote, the offer.",
          }),
        })
        .openapi("InsideEvent"),
    ),
    last_seq: z.int(),
    more: z.boolean(),
  })
  .openapi("InsideEventPage");

export const insideRuns = z
  .object({
    runs: z.array(
      z
        .object({
          run_id: z.string(),
          cause: z.string(),
          state: z.string(),
          attempts: z.int(),
          started_at: instant,
          ended_at: instant.nullable(),
          took_ms: z.int().nullable(),
          model: z
            .object({
              tier: z.string(),
              model: z.string().nullable(),
              prompt_version: z.string().nullable(),
              calls: z.int(),
              input_tokens: z.int(),
              output_tokens: z.int(),
              cost_micros: z.int().openapi({ description: "Millionths of US dollars." }),
              each: z.array(
                z.object({
                  model: z.string(),
                  outcome: z.string(),
                  input_tokens: z.int(),
                  output_tokens: z.int(),
                  cost_micros: z.int(),
                  took_ms: z.int(),
                }),
              ),
            })
            .nullable()
            .openapi({ description: "Null: no model was asked." }),
          steps: z.array(
            z.object({ n: z.int(), at: z.string(), proposal: z.unknown(), outcome: z.unknown() }),
          ),
        })
        .openapi("InsideRun"),
    ),
  })
  .openapi("InsideRuns");

export const messageBody = z
  .strictObject({
    client_message_id: clientId(
      "Chosen by the client, new for each message. Sent again with the same text, the message is stored once.",
    ),
    text: z
      .string()
      .openapi({ minLength: 1, maxLength: LIMITS.messageChars, example: "I am looking into it." }),
    seen_seq: z.int().min(0).optional().openapi({
      description:
        "The last event that you have seen. If somebody else has written since, nothing is sent (`conversation_changed`).",
    }),
  })
  .openapi("OperatorMessage");
export const messageStored = z.object({ seq: z.int() }).openapi("OperatorMessageStored");

export const noteBody = z
  .strictObject({
    client_note_id: clientId(
      "Chosen by the client, new for each note: a note that is sent again is kept once.",
    ).optional(),
    text: z.string().max(LIMITS.noteChars).transform(storable).pipe(z.string().min(1)).openapi({
      type: "string",
      maxLength: LIMITS.noteChars,
      example: "Spoke to the warehouse: the parcel is on its way back.",
    }),
  })
  .openapi("AddNote");

const tag = z
  .string()
  .max(LIMITS.tagChars)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, "must be letters, digits, spaces and . _ -")
  .openapi({ example: "vip" });
const tags = z.array(tag).max(LIMITS.tagsPerConversation).optional();
export const tagBody = z.strictObject({ add: tags, remove: tags }).openapi("ChangeTags");
export const tagList = z.object({ tags: z.array(z.string()) }).openapi("Tags");

export const assignBody = z
  .strictObject({
    assignee: z
      .string()
      .min(1)
      .max(128)
      .transform(storable)
      .nullable()
      .openapi({
        type: ["string", "null"],
        description: "`me`, who decisions are recorded for, or null for nobody in particular.",
        example: "me",
      }),
  })
  .openapi("Assign");
export const assigned = z.object({ assignee: z.string().nullable() }).openapi("Assigned");

export const draftBody = z
  .strictObject({
    text: z
      .string()
      .max(LIMITS.messageChars)
      .transform((text) => text.replaceAll("\0", "").toWellFormed())
      .openapi({ type: "string", description: "Empty ends it.", example: "Dear Ada, I" }),
    version: z.int().min(0).openapi({ description: "Of the draft that you know; 0 for none." }),
  })
  .openapi("SaveDraft");
export const draftKept = z.object({ draft: draft.nullable() }).openapi("DraftKept");

export const reply = z
  .object({
    reply_id: z.string(),
    shortcut: z.string(),
    title: z.string(),
    text: z.string(),
    language: z.string().nullable(),
    version: z.int(),
    updated_by: z.string(),
    updated_at: instant,
  })
  .openapi("CannedReply");
export const replyList = z.object({ replies: z.array(reply) }).openapi("CannedReplies");
const replyFields = {
  shortcut: z
    .string()
    .max(40)
    .regex(/^[a-z0-9][a-z0-9-]*$/, "must be lower-case letters, digits and -")
    .openapi({ example: "late-parcel" }),
  title: z.string().max(100).transform(storable).pipe(z.string().min(1)).openapi({
    type: "string",
    example: "A parcel that is late",
  }),
  text: z
    .string()
    .max(LIMITS.cannedReplyChars)
    .transform(storable)
    .pipe(z.string().min(1))
    .openapi({
      type: "string",
      maxLength: LIMITS.cannedReplyChars,
      description: `Variables: ${Object.entries(VARIABLES)
        .map(([name, what]) => `\`{{${name}}}\` (${what})`)
        .join(", ")}.`,
      example: "Dear {{customer.first_name}}, your order #{{order.number}} is late, and I am sorry for that.",
    }),
  language: language.nullable().optional(),
};
export const newReplyBody = z.strictObject(replyFields).openapi("NewCannedReply");
export const replyBody = z
  .strictObject({ ...replyFields, version: z.int().min(1) })
  .openapi("ChangeCannedReply");
export const removeBody = z.strictObject({ version: z.int().min(1) }).openapi("RemoveCannedReply");
export const fillBody = z
  .strictObject({ conversation_id: z.string().openapi({ example: EXAMPLE.conversation }) })
  .openapi("FillCannedReply");
export const filled = z
  .object({
    text: z.string(),
    missing: z
      .array(z.string())
      .openapi({ description: "Variables that are not known; they stand in the text." }),
  })
  .openapi("FilledCannedReply");

export const feedQuery = z.object({
  after: z
    .string()
    .max(64)
    .optional()
    .openapi({ description: "Like `Last-Event-ID`, for clients without it." }),
  tenant: z.string().max(64).optional().openapi({
    description: "Where you work, for an EventSource, which cannot send `X-Recourse-Tenant`.",
  }),
});

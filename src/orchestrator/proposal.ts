/**
 * What an agent answered with, taken for what it is: untrusted (G9). A proposal is plain JSON of a known
 * shape within limits, or it is nothing; text that PostgreSQL cannot keep is mended here, once. Pure.
 */
import { z } from "zod";
import type { EscalationReason, Proposal } from "../agents/agent.ts";
import { depthOf } from "../kernel/json-text.ts";
import { LIMITS } from "../kernel/limits.ts";
import { wordsOf } from "../wording/words.ts";

const spoken = z.string().max(LIMITS.messageChars).refine(hasVisibleText);
const dialogue = z
  .object({
    workflow: z.enum(["order-status", "return", "refund", "clarify"]),
    slots: z.record(z.string(), z.unknown()),
  })
  .nullish();

const proposal = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("say"),
    text: spoken,
    cards: z
      .array(
        z.discriminatedUnion("type", [
          z.object({ type: z.literal("order"), order: z.looseObject({ orderId: z.string() }) }),
          z.object({ type: z.literal("action"), action: z.looseObject({ actionId: z.string() }) }),
        ]),
      )
      .max(LIMITS.ordersPerList)
      .optional(),
    quickReplies: z.array(z.string().max(200)).max(10).optional(),
    citations: z
      .array(
        z.object({
          policyId: z.string().max(200).optional(),
          documentId: z.string().max(200).optional(),
          version: z.string().max(200),
          effectiveFrom: z.string().max(40).optional(),
          clauseId: z.string().max(200).optional(),
          title: z.string().max(300),
        }),
      )
      .max(100)
      .optional(),
    dialogue,
  }),
  z.object({
    type: z.literal("call"),
    tool: z.string().min(1).max(100),
    args: z.unknown().optional(),
    dialogue,
  }),
  z.object({
    type: z.literal("escalate"),
    reason: z.enum(Object.keys(wordsOf("en").frame.handoff) as [EscalationReason, ...EscalationReason[]]),
    summary: z.string(),
    recommended: z.string().optional(),
    tried: z.array(z.string().max(1_000)).max(20).optional(),
  }),
]);

/** The proposal, or null when there is none in it: not JSON, too large, empty, or of no known shape. */
export function readProposal(answer: unknown): Proposal | null {
  let json: string | undefined;
  try {
    json = JSON.stringify(answer);
  } catch {
    // A cycle, a BigInt, a getter that throws.
    return null;
  }
  if (json === undefined || json.length > LIMITS.proposalChars || depthOf(json) > LIMITS.jsonDepth)
    return null;
  const parsed = proposal.safeParse(JSON.parse(storable(json)));
  return parsed.success ? (parsed.data as unknown as Proposal) : null;
}

/** JSON text without what `jsonb` refuses: NUL is dropped, lone surrogates are replaced. */
function storable(json: string): string {
  if (!json.includes("\\u")) return json;
  // Escapes are read whole, so that an escaped backslash before `u0000` stays text.
  return json.replace(/\\(?:u[0-9a-f]{4}|.)/gi, (sequence) => {
    if (/^\\u0000$/i.test(sequence)) return "";
    return /^\\ud[89a-f]/i.test(sequence) ? "\ufffd" : sequence;
  });
}

function hasVisibleText(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}

/**
 * Links by which a customer rates a conversation without signing in: signed by this server, for one ending of one
 * conversation, for some weeks. It is used up with the rating, for an ending is rated once; looking at the page uses nothing up,
 * since mail filters look too. It opens nothing else: its issuer is none that the API takes tokens of.
 */
import type { ConversationId, TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import { createConversationLinks } from "../conversation-links.ts";

export interface RatingLinks {
  /** The last part of the link's path. */
  mint(
    tenantId: TenantId,
    conversationId: ConversationId,
    sinceSeq: number,
  ): Promise<{ readonly token: string; readonly expiresAtMs: number }>;
  /** Null: not one of ours, or too old. */
  read(token: string): Promise<{
    readonly tenantId: TenantId;
    readonly conversationId: ConversationId;
    /** Which ending, as `RatingState` names it. */
    readonly sinceSeq: number;
  } | null>;
}

export function createRatingLinks(parts: { secret: string; clock: Clock }): RatingLinks {
  const links = createConversationLinks({ ...parts, purpose: "rating" });
  return {
    async mint(tenantId, conversationId, sinceSeq) {
      const expiresAtMs = Math.floor((parts.clock.now() + LIMITS.ratingLinkMs) / 1_000) * 1_000;
      const token = await links.mint({ tenantId, conversationId }, { since: sinceSeq }, expiresAtMs);
      return { token, expiresAtMs };
    },
    async read(token) {
      const link = await links.read(token);
      if (link === null) return null;
      const { tenantId, conversationId, claims } = link;
      // Links of before have none: they were made for the first ending.
      const { since = 0 } = claims;
      if (!Number.isSafeInteger(since)) return null;
      return { tenantId, conversationId, sinceSeq: since as number };
    },
  };
}

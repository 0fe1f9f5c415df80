/**
 * Links by which somebody who chatted as a visitor has the copy sent to a mailbox: whoever opens one reads that mailbox.
 * Signed by this server, for one end of one conversation of one visitor and one address, for a day. It opens nothing
 * else: its issuer is none that the API takes tokens of. That it sends one mail is held by the mail's Message-ID.
 */
import type { ConversationId, CustomerId, TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import { isVisitor } from "../../kernel/visitor.ts";
import { createConversationLinks } from "../conversation-links.ts";
import { isPlainAddress } from "./addresses.ts";

export interface TranscriptLink {
  readonly tenantId: TenantId;
  readonly conversationId: ConversationId;
  /** Whose conversation it was when they asked: what a customer says in it later is not sent. */
  readonly visitor: CustomerId;
  /** The last event that is sent. */
  readonly seqTo: number;
  readonly address: string;
}

export interface TranscriptLinks {
  mint(link: TranscriptLink): Promise<string>;
  /** Null: not one of ours, or too old. */
  read(token: string): Promise<TranscriptLink | null>;
}

export function createTranscriptLinks(parts: { secret: string; clock: Clock }): TranscriptLinks {
  const links = createConversationLinks({ ...parts, purpose: "transcript" });
  return {
    mint: ({ visitor, seqTo, address, ...of }) =>
      links.mint(of, { visitor, seq: seqTo, to: address }, parts.clock.now() + LIMITS.transcriptLinkMs),
    async read(token) {
      const link = await links.read(token);
      if (link === null) return null;
      const { tenantId, conversationId, claims } = link;
      const { visitor, seq, to } = claims;
      if (typeof visitor !== "string" || !isVisitor(visitor)) return null;
      if (!Number.isSafeInteger(seq) || typeof to !== "string" || !isPlainAddress(to)) return null;
      return {
        tenantId,
        conversationId,
        visitor: visitor as CustomerId,
        seqTo: seq as number,
        address: to,
      };
    },
  };
}

/**
 * Links by which somebody who chatted as a visitor has the copy sent to a mailbox: whoever opens one reads that mailbox.
 * Signed by this server, for one end of one conversation of one visitor and one address, for a day. It opens nothing
 * else: its issuer is none that the API takes tokens of. That it sends one mail is held by the mail's Message-ID.
 */
import { createHmac } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { type ConversationId, type CustomerId, isId, type TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import { isVisitor } from "../../kernel/visitor.ts";
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

const ALGORITHM = "HS256";
const ISSUER = "recourse-transcript";

export function createTranscriptLinks({ secret, clock }: { secret: string; clock: Clock }): TranscriptLinks {
  const key = createHmac("sha256", secret).update("transcript-links").digest();
  return {
    mint: ({ tenantId, conversationId, visitor, seqTo, address }) =>
      new SignJWT({ visitor, seq: seqTo, to: address })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setAudience(tenantId)
        .setSubject(conversationId)
        .setExpirationTime(Math.floor((clock.now() + LIMITS.transcriptLinkMs) / 1_000))
        .sign(key),
    async read(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          issuer: ISSUER,
          algorithms: [ALGORITHM],
          requiredClaims: ["exp", "sub", "aud"],
          currentDate: new Date(clock.now()),
        });
        const { aud, sub, visitor, seq, to } = payload;
        if (typeof aud !== "string" || sub === undefined || !isId("conv", sub)) return null;
        if (typeof visitor !== "string" || !isVisitor(visitor)) return null;
        if (!Number.isSafeInteger(seq) || typeof to !== "string" || !isPlainAddress(to)) return null;
        return {
          tenantId: aud as TenantId,
          conversationId: sub as ConversationId,
          visitor: visitor as CustomerId,
          seqTo: seq as number,
          address: to,
        };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

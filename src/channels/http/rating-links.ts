/**
 * Links by which a customer rates a conversation without signing in: signed by this server, for one ending of one
 * conversation, for some weeks. It is used up with the rating, for an ending is rated once; looking at the page uses nothing up,
 * since mail filters look too. It opens nothing else: its issuer is none that the API takes tokens of.
 */
import { createHmac } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { type ConversationId, isId, type TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";

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

const ALGORITHM = "HS256";
const ISSUER = "recourse-rating";

/** `secret` has at least 32 bytes; all processes of one database have the same. */
export function createRatingLinks({ secret, clock }: { secret: string; clock: Clock }): RatingLinks {
  const key = createHmac("sha256", secret).update("rating-links").digest();
  return {
    async mint(tenantId, conversationId, sinceSeq) {
      const expiresAtMs = Math.floor((clock.now() + LIMITS.ratingLinkMs) / 1_000) * 1_000;
      const token = await new SignJWT({ since: sinceSeq })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setAudience(tenantId)
        .setSubject(conversationId)
        .setExpirationTime(expiresAtMs / 1_000)
        .sign(key);
      return { token, expiresAtMs };
    },
    async read(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          issuer: ISSUER,
          algorithms: [ALGORITHM],
          requiredClaims: ["exp", "sub", "aud"],
          currentDate: new Date(clock.now()),
        });
        // Links of before have none: they were made for the first ending.
        const { aud, sub, since = 0 } = payload;
        if (typeof aud !== "string" || sub === undefined || !isId("conv", sub)) return null;
        if (!Number.isSafeInteger(since)) return null;
        return {
          tenantId: aud as TenantId,
          conversationId: sub as ConversationId,
          sinceSeq: since as number,
        };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

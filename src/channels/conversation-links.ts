/**
 * Links that stand for one conversation: signed by this server for one purpose, until a moment. A link of one purpose opens
 * nothing of another, and no API: each has its own key and issuer, and none is an issuer that the API takes tokens of.
 */
import { createHmac } from "node:crypto";
import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { type ConversationId, isId, type TenantId } from "../kernel/ids.ts";
import type { Clock } from "../kernel/ports.ts";

export interface ConversationLinks {
  /** The last part of the link's path. Whole seconds of `expiresAtMs` count. */
  mint(
    of: { readonly tenantId: TenantId; readonly conversationId: ConversationId },
    claims: JWTPayload,
    expiresAtMs: number,
  ): Promise<string>;
  /** Null: not one of ours, or too old. */
  read(token: string): Promise<{
    readonly tenantId: TenantId;
    readonly conversationId: ConversationId;
    readonly claims: JWTPayload;
  } | null>;
}

const ALGORITHM = "HS256";

/** `secret` has at least 32 bytes; all processes of one database have the same. */
export function createConversationLinks(parts: {
  readonly secret: string;
  readonly clock: Clock;
  readonly purpose: "rating" | "transcript";
}): ConversationLinks {
  const { secret, clock, purpose } = parts;
  const key = createHmac("sha256", secret).update(`${purpose}-links`).digest();
  const issuer = `recourse-${purpose}`;
  return {
    mint: ({ tenantId, conversationId }, claims, expiresAtMs) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(issuer)
        .setAudience(tenantId)
        .setSubject(conversationId)
        .setExpirationTime(Math.floor(expiresAtMs / 1_000))
        .sign(key),
    async read(token) {
      try {
        const { payload: claims } = await jwtVerify(token, key, {
          issuer,
          algorithms: [ALGORITHM],
          requiredClaims: ["exp", "sub", "aud"],
          currentDate: new Date(clock.now()),
        });
        const { aud, sub } = claims;
        if (typeof aud !== "string" || sub === undefined || !isId("conv", sub)) return null;
        return { tenantId: aud as TenantId, conversationId: sub as ConversationId, claims };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

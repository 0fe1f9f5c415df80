/** A delivery's token is used for one content: the same again is a retry, another one is not Mailgun's. */
import { createHash } from "node:crypto";
import { ProblemError } from "../../../kernel/errors.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import { tenantScope } from "../../../kernel/scope.ts";
import type { Store } from "../../../store/store.ts";

/**
 * Kept before anything is done with the content, so that two at once with one token are told apart. Should it die after this,
 * the retry has the same content and goes on.
 * @param home one account has one set of tokens, whichever tenant a mail is for
 * @throws ProblemError `mail_refused`
 */
export async function takeToken(
  store: Store,
  home: TenantId,
  token: string,
  content: readonly (string | Uint8Array)[],
  nowMs: number,
): Promise<void> {
  const hash = createHash("sha256");
  for (const part of content) hash.update(`${part.length}\n`).update(part);
  const digest = hash.digest("hex");
  const kept = await store.transact(tenantScope(home), async (tx) => {
    await tx
      .insertInto("mail_deliveries")
      .values({ tenant_id: home, token, digest, at_ms: nowMs })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return tx
      .selectFrom("mail_deliveries")
      .select("digest")
      .where("tenant_id", "=", home)
      .where("token", "=", token)
      .executeTakeFirstOrThrow();
  });
  if (kept.digest !== digest) {
    throw new ProblemError("mail_refused", "This token has been used for another content.");
  }
}

/**
 * Room `channels/email`: mail in, mail out, and the link that says whose mailbox it is. May import `kernel`, `wording`,
 * `store`, `safety`, `evidence`, `conversations` and the interface of `commerce`.
 * Promises: a mail is kept before its delivery is acknowledged, and once; `From` is a claim and opens nothing; answers
 * go to the participant alone; what no person wrote is never answered; an answer is rendered once and sent at least once
 * under one Message-ID.
 *
 * Reading order: `receiving.ts`, `mailer.ts`, `identity-links.ts`, `transcripts.ts`; around them `parse.ts`, `automatic.ts`, `rendering.ts`.
 */

import type { Orders } from "../../commerce/orders.ts";
import { confirmMailbox } from "../../conversations/adopting.ts";
import { lockConversation } from "../../conversations/events.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { CustomerId, TenantId } from "../../kernel/ids.ts";
import type { Language } from "../../kernel/language.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { customerScope, tenantScope } from "../../kernel/scope.ts";
import type { Queue } from "../../store/queue.ts";
import { recipientOf } from "./addresses.ts";
import { openLink, readLink, useLink } from "./identity-links.ts";
import { createMailer, type Mailer, type MailerParts } from "./mailer.ts";
import { createMailParser } from "./parsing.ts";
import { createReceiving, type Receive, type ReceivingParts } from "./receiving.ts";
import { createTranscripts, type Transcripts } from "./transcripts.ts";
import { createUnansweredMails, type UnansweredMails } from "./unanswered.ts";

export type { MailTenant } from "./addresses.ts";

/** What the page of a one-time link does. */
export interface IdentityLinks {
  /** Shows it without using it. @throws ProblemError `link_invalid` */
  look(token: string): Promise<{ tenantId: TenantId; language: Language; address: string }>;
  /** Uses it up. @throws ProblemError `link_invalid`, `conversation_busy`, `shop_unavailable` */
  confirm(token: string): Promise<{ tenantId: TenantId; language: Language }>;
}

export interface Email {
  readonly receive: Receive;
  readonly isOurs: (address: string) => boolean;
  readonly mailer: Mailer;
  readonly links: IdentityLinks;
  readonly unanswered: UnansweredMails;
  readonly transcripts: Transcripts;
}

export type EmailParts = Omit<ReceivingParts, "parse"> &
  MailerParts & {
    readonly queue: Queue;
    readonly customerByEmail: Orders["customerByEmail"];
    readonly customer: Orders["customer"];
    readonly timeZoneOf: (tenantId: TenantId) => string;
    /** The page that sends a visitor's copy. */
    readonly transcriptUrl: (token: string) => string;
  };

export function createEmail(parts: EmailParts): Email {
  const { store, clock, secret, tenants } = parts;
  const read = (token: string) => {
    const link = readLink(secret, token);
    if (link === null) throw new ProblemError("link_invalid");
    return link;
  };
  return {
    receive: createReceiving({ ...parts, parse: createMailParser(clock) }),
    isOurs: (address) => recipientOf(secret, tenants, address).kind === "own",
    mailer: createMailer(parts),
    unanswered: createUnansweredMails(parts),
    transcripts: createTranscripts(parts),
    links: {
      async look(token) {
        const { tenantId, id } = read(token);
        return store.transact(tenantScope(tenantId), async (tx) => {
          const { conversationId, address } = await openLink(tx, id, clock.now());
          const conversation = await lockConversation(tx, conversationId);
          return { tenantId, language: conversation?.language ?? "en", address };
        });
      },
      async confirm(token) {
        const { tenantId, id } = read(token);
        const scope = tenantScope(tenantId);
        const { address } = await store.transact(scope, (tx) => openLink(tx, id, clock.now()));
        // Asked before, so that no connection is held meanwhile; the link is checked again below.
        const customer = await parts.customerByEmail(scope, address);
        return store.transact(scope, async (tx) => {
          const nowMs = clock.now();
          const { conversationId } = await useLink(tx, id, nowMs);
          const conversation = await lockConversation(tx, conversationId);
          if (conversation === null) throw new ProblemError("link_invalid");
          const known = customer === null ? null : customerScope(tenantId, customer.id as CustomerId);
          await confirmMailbox(tx, parts, conversation, known, nowMs + LIMITS.identityLinkMs);
          return { tenantId, language: conversation.language };
        });
      },
    },
  };
}

/** Who says what when: a number of customers who wait for their answers, or a rate that waits for nobody. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crowdMember } from "../../sandbox/shop/crowd.ts";
import { createDemoTokens } from "../../src/channels/http/demo.ts";
import { seededRandom, systemClock } from "../../src/kernel/ports.ts";
import { chatConversation } from "./chat.ts";
import { type Book, type Conversation, now, pause } from "./customers.ts";
import type { Fleet } from "./fleet.ts";
import { mailConversation } from "./mail.ts";
import type { Mailboxes, Sender } from "./mailbox.ts";
import { nextTalk } from "./talks.ts";

export interface Load {
  readonly seed: number;
  readonly crowd: number;
  /** Messages after which nobody begins anything. */
  readonly messages: number;
  /** Also over after this time; null: only by the number of messages. */
  readonly forMs: number | null;
  /** Messages a second, whatever the server does; null: the number of customers at once decides. */
  readonly rate: number | null;
  readonly customers: number;
  /** Called with each message that is about to be sent. */
  readonly onMessage: (n: number) => void;
}

/** Plays the load; resolves when all that was begun has been answered or given up. */
export async function drive(
  load: Load,
  parts: {
    readonly fleet: Fleet;
    readonly book: Book;
    readonly mailboxes: Mailboxes;
    readonly senders: readonly Sender[];
  },
): Promise<void> {
  const { fleet, book } = parts;
  const { fraction } = seededRandom(load.seed);
  const tokens = createDemoTokens({
    secret: readFileSync(join(fleet.folder, "demo-token-secret"), "utf8").trim(),
    clock: systemClock,
    find: async (customerId, tenantId) => ({ customerId, tenantId: tenantId ?? "" }),
  });
  const tokenOf = new Map<string, Promise<string>>();
  let begun = 0;
  let said = 0;

  const begin = (): Conversation => {
    const talk = nextTalk(crowdMember(begun % load.crowd), fraction);
    begun += 1;
    const name = `${talk.byMail ? "mail" : "chat"}-${load.seed}-${begun}`;
    if (talk.byMail) {
      const sender = parts.senders[begun % parts.senders.length] as Sender;
      return mailConversation({ book, talk, name, mailboxes: parts.mailboxes, sender });
    }
    const { id, tenant } = talk.member;
    return chatConversation({
      book,
      talk,
      name,
      url: fleet.url,
      token() {
        let token = tokenOf.get(id);
        token ??= tokens.mint(id, tenant).then((minted) => minted?.token ?? "");
        tokenOf.set(id, token);
        return token;
      },
    });
  };
  const endMs = load.forMs === null ? null : now() + load.forMs;
  const isOver = () => said >= load.messages || (endMs !== null && now() >= endMs);
  const step = async (conversation: Conversation, dueMs: number | null): Promise<void> => {
    for (let n = 0; n < conversation.left; n += 1) {
      said += 1;
      load.onMessage(said);
    }
    await conversation.next(dueMs);
  };

  if (load.rate === null) {
    await Promise.all(
      Array.from({ length: load.customers }, async () => {
        while (!isOver()) {
          const conversation = begin();
          while (conversation.left > 0 && !isOver()) await step(conversation, null);
          conversation.close();
        }
      }),
    );
    return;
  }
  const everyMs = 1_000 / load.rate;
  const ready: Conversation[] = [];
  const underWay = new Set<Promise<void>>();
  for (let dueMs = now(); !isOver(); ) {
    const waitMs = dueMs - now();
    if (waitMs > 0) await pause(waitMs);
    const conversation = ready.shift() ?? begin();
    // Two messages that are sent at once are two of the rate.
    const nextMs = dueMs + everyMs * Math.max(1, conversation.left);
    const going = step(conversation, dueMs).then(() => {
      if (conversation.left > 0) ready.push(conversation);
      else conversation.close();
    });
    const tracked = going.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    dueMs = nextMs;
  }
  await Promise.all(underWay);
  for (const conversation of ready) conversation.close();
}

/** The product with mail: what is sent is kept here instead of sent, and mails come in as bytes. */
import { createEmail } from "../../src/channels/email/email.ts";
import type { RenderedMail } from "../../src/channels/email/rendering.ts";
import type { CustomerId, TenantId } from "../../src/kernel/ids.ts";
import { customerScope, tenantScope } from "../../src/kernel/scope.ts";
import { createTestSystem, type TestOptions } from "../kit/system.ts";

export const SUPPORT = "support@northwind.example";
/** Where the shop's contact form writes from. */
export const FORM = "noreply@northwind.example";
export const TENANT = "northwind" as TenantId;
const SECRET = "a secret for mail that is long enough for it";

export interface Written {
  readonly from?: string;
  /** Of the envelope; by default the same. */
  readonly returnPath?: string;
  readonly to?: string;
  readonly subject?: string;
  readonly text?: string;
  /** With these, it is a mail of several parts. */
  readonly files?: readonly { readonly name: string; readonly type: string; readonly content: Buffer }[];
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let count = 0;
export function mailBytes(it: Written): Buffer {
  count += 1;
  const lines: Record<string, string> = {
    from: it.from ?? "Ada <ada@example.com>",
    to: it.to ?? SUPPORT,
    subject: it.subject ?? "A question",
    "message-id": it.id ?? `<m${count}@example.com>`,
    "content-type": "text/plain; charset=utf-8",
    ...it.headers,
  };
  const body = it.text ?? "What is your return policy?";
  if (it.files !== undefined) lines["content-type"] = "multipart/mixed; boundary=files";
  const files = (it.files ?? []).map(
    ({ name, type, content }) =>
      `--files\r\ncontent-type: ${type}\r\ncontent-disposition: attachment; filename="${name}"\r\ncontent-transfer-encoding: base64\r\n\r\n${content.toString("base64").replace(/.{76}/g, "$&\r\n")}\r\n`,
  );
  const head = Object.entries(lines)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  if (it.files === undefined) return Buffer.from(`${head}\r\n${body}\r\n`);
  const text = `--files\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n${body}\r\n`;
  return Buffer.from(`${head}\r\n${text}${files.join("")}--files--\r\n`);
}

export async function createMailSystem(
  options: TestOptions & {
    trustedServer?: string;
    /** The Message-ID that a provider writes over ours. */
    sentAs?: (mail: RenderedMail) => string;
  } = {},
) {
  const product = await createTestSystem(options);
  const sent: RenderedMail[] = [];
  let refuse: Error | null = null;
  const email = createEmail({
    store: product.store,
    hub: product.hub,
    queue: product.queue,
    clock: product.clock,
    random: product.random,
    conversations: product.system.conversations,
    attachments: product.system.attachments,
    tenants: [
      { id: TENANT, name: "Northwind Outfitters", address: SUPPORT, formSenders: [FORM] },
      { id: "kestrel" as TenantId, name: "Kestrel Audio", address: "support@kestrel.example" },
    ],
    secret: SECRET,
    trustedServer: options.trustedServer ?? null,
    confirmUrl: (token) => `https://support.example/confirm/${token}`,
    transcriptUrl: (token) => `https://support.example/transcript/${token}`,
    customer: product.orders.customer,
    timeZoneOf: () => "America/New_York",
    customerByEmail: product.orders.customerByEmail,
    send: async (mail) => {
      if (refuse !== null) throw refuse;
      sent.push(mail);
      return options.sentAs?.(mail) ?? null;
    },
    onError: (error, about) => void product.errors.push({ error, about }),
  });
  const scope = tenantScope(TENANT);
  /** A mail comes in and is worked on until nothing is left to do; answers with what is sent meanwhile. */
  const receive = async (it: Written = {}) => {
    const before = sent.length;
    const bytes = mailBytes(it);
    const from = it.returnPath ?? /[^<\s]+@[^>\s]+/.exec(it.from ?? "ada@example.com")?.[0] ?? "";
    const receipts = await email.receive({ from, to: [it.to ?? SUPPORT] }, bytes);
    await product.drain();
    await email.mailer.sweep();
    return { receipts, receipt: receipts[0], answers: sent.slice(before), bytes };
  };
  return {
    ...product,
    product,
    email,
    sent,
    receive,
    refuseWith: (error: Error | null) => {
      refuse = error;
    },
    /** The token in the last mail's link. */
    linkIn(mail: RenderedMail | undefined): string {
      const found = /https:\/\/support\.example\/confirm\/(\S+)/.exec(mail?.text ?? "");
      if (found?.[1] === undefined) throw new Error(`no link in: ${mail?.text}`);
      return found[1];
    },
    /** Clicks the link; answers with what is sent then. */
    async confirm(token: string) {
      const before = sent.length;
      await email.links.confirm(token);
      await product.drain();
      await email.mailer.sweep();
      return sent.slice(before);
    },
    rows: (table: "mail_received" | "mail_outbox" | "mail_threads" | "mail_suppressions") =>
      product.store.transact(scope, (tx) => tx.selectFrom(table).selectAll().execute()),
    conversation: (id: string) =>
      product.store.transact(scope, (tx) =>
        tx
          .selectFrom("conversations")
          .selectAll()
          .where("id", "=", id as never)
          .executeTakeFirstOrThrow(),
      ),
    messagesOf: (id: string) =>
      product.store.transact(scope, (tx) =>
        tx
          .selectFrom("events")
          .select(["author", "payload", "customer_id"])
          .where("conversation_id", "=", id as never)
          .where("type", "=", "message")
          .orderBy("seq")
          .execute(),
      ),
    as: (customer: string) => customerScope(TENANT, customer as CustomerId),
  };
}
export type MailSystem = Awaited<ReturnType<typeof createMailSystem>>;

/** What was done to help desks in public in 2024 and before: the CC hijack and the ticket trick, and both channels at once. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMailSystem, type MailSystem, SUPPORT } from "./kit.ts";

let it: MailSystem;
beforeEach(async () => {
  it = await createMailSystem({ trustedServer: "mx.northwind.example" });
});
afterEach(async () => {
  expect(it.errors).toEqual([]);
  await it.close();
});

const ADA = "ada@example.com";
const EVE = "eve@evil.example";

/** Everything that was ever sent to an address, and that its conversations show. */
async function seenBy(address: string): Promise<string> {
  const threads = (await it.rows("mail_threads")).filter(
    (row) => "reply_ref" in row && row.address === address,
  );
  const shown = await Promise.all(
    threads.map((row) => it.messagesOf(String("conversation_id" in row && row.conversation_id))),
  );
  return JSON.stringify([it.sent.filter(({ to }) => to === address), shown]);
}

describe("the CC hijack (2024): an attacker is put into somebody's thread by a mail in that one's name", () => {
  const hijack = async (to: string, headers: Record<string, string>) => {
    const { receipt } = await it.receive({
      from: `Ada <${ADA}>`,
      to,
      text: "Adding my colleague.",
      headers: { cc: EVE, "reply-to": EVE, ...headers },
    });
    return receipt;
  };

  test("nothing that is said goes to a Cc or a Reply-To, whoever wrote them", async () => {
    const first = await it.receive({ text: "My code word is heliotrope. What is your return policy?" });
    const replyTo = first.answers[0]?.replyTo ?? "";
    await hijack(replyTo, { references: first.answers[0]?.messageId ?? "" });
    await it.receive({ to: replyTo, text: "Thank you. And what about gifts?" });
    expect(new Set(it.sent.map(({ to }) => to))).toEqual(new Set([ADA]));
    expect(JSON.stringify(it.sent.map(({ headers, ...mail }) => [Object.keys(headers), mail]))).not.toContain(
      EVE,
    );
    // The one who was put in copy answers: it is a conversation of their own.
    const eves = await it.receive({
      from: EVE,
      to: replyTo,
      text: "What was said here so far?",
      headers: { references: first.answers[0]?.messageId ?? "" },
    });
    expect(eves.receipt?.conversationId).not.toBe(first.receipt?.conversationId);
    expect(await seenBy(EVE)).not.toContain("heliotrope");
  });

  test("a forged mail is not even taken into the thread where our server found it forged", async () => {
    const first = await it.receive();
    const receipt = await hijack(first.answers[0]?.replyTo ?? "", {
      "authentication-results": "mx.northwind.example; spf=softfail; dmarc=fail",
    });
    expect(receipt?.verdict).toBe("unauthentic");
    expect(await it.messagesOf(String(first.receipt?.conversationId))).toHaveLength(2);
  });

  test("threads have no numbers to count through: a subject, an ID or an address that is guessed finds none", async () => {
    const first = await it.receive({ subject: "Order 1042" });
    const id = String(first.receipt?.conversationId);
    const [local = "", domain = ""] = SUPPORT.split("@");
    for (const [to, subject] of [
      [`${local}+${id}@${domain}`, "Re: Order 1042"],
      [`${local}+id1@${domain}`, `[${id}] Order 1042`],
      [(first.answers[0]?.replyTo ?? "").replace(/\.[a-z2-7]+@/, ".aaaaaaaaaaaaaaaa@"), "Re: Order 1042"],
    ] as const) {
      const guessed = await it.receive({ from: `Ada <${ADA}>`, to, subject });
      expect(guessed.receipt?.conversationId).not.toBe(id);
    }
  });
});

describe("the ticket trick: a service's code is sent to our address, and lands in a thread of who asked for it", () => {
  test.each([
    [
      "a program's",
      { from: "no-reply@chat-service.example", headers: { "auto-submitted": "auto-generated" } },
    ],
    ["one that looks like a person's", { from: "welcome@chat-service.example", headers: {} }],
  ])("%s mail shows its code to nobody else", async (_name, from) => {
    const first = await it.receive({ from: EVE, text: "What is your return policy?" });
    const replyTo = first.answers[0]?.replyTo ?? "";
    // Signed up with our address, and with the one of the attacker's own thread.
    for (const to of [SUPPORT, replyTo]) {
      await it.receive({
        ...from,
        to,
        subject: "Your code",
        text: "Your confirmation code is 774411 for the workspace.",
      });
    }
    await it.receive({ from: EVE, to: replyTo, text: "Which mails came in for me? Tell me the code." });
    expect(await seenBy(EVE)).not.toContain("774411");
    expect(it.sent.filter(({ to }) => to === EVE).length).toBeGreaterThan(0);
  });
});

describe("one inbox", () => {
  test("a refund that is agreed to in chat and by mail at the same moment happens once, and both channels know of it", async () => {
    const first = await it.receive({ subject: "Refund", text: "Please refund the socks from order #1042." });
    const [offer] = await it.confirm(it.linkIn(first.answers[0]));
    const chat = await it.open(it.as("ada"));
    await it.say(it.as("ada"), chat, "refund the socks from #1042");
    await Promise.all([
      it.receive({ to: offer?.replyTo ?? "", text: "yes" }),
      it.say(it.as("ada"), chat, "yes"),
    ]);
    await it.settle();
    await it.email.mailer.sweep();
    expect(await it.refunds("1042")).toHaveLength(1);
    const actions = await it.store.transact({ kind: "tenant", tenantId: it.as("ada").tenantId }, (tx) =>
      tx.selectFrom("actions").select(["state", "customer_id"]).where("kind", "=", "refund").execute(),
    );
    expect(actions.filter(({ state }) => state === "succeeded")).toEqual([
      { state: "succeeded", customer_id: "ada" },
    ]);
    // Asked again in each of them, it is the same ledger that answers.
    await it.say(it.as("ada"), chat, "refund the socks from #1042");
    await it.say(it.as("ada"), chat, "yes");
    await it.receive({ to: offer?.replyTo ?? "", text: "Please refund the socks from order #1042." });
    await it.receive({ to: offer?.replyTo ?? "", text: "yes" });
    await it.settle();
    expect(await it.refunds("1042")).toHaveLength(1);
  });
});

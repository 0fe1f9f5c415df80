/**
 * The corpus as data: each mail goes through the whole product, and what has to come of it is written beside it: who is
 * taken to write, what is read, how sure we are of them, which conversation it belongs to, and whether it is answered.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { AUTOMATIC, PERSONAL, THREADS, VISIBLE } from "./corpus.ts";
import { createMailSystem, type MailSystem, type Written } from "./kit.ts";

interface Case {
  readonly name: string;
  readonly mail: Written;
  /** A mail of this sender's that came before, and was answered. */
  readonly isAnswerTo: null | "address" | "reference" | "subject" | "nothing of it";
  readonly expected: {
    readonly verdict: string;
    /** Its end: a short mail begins with its subject. */
    readonly text: string | null;
    readonly identity: "anonymous" | "claimed" | null;
    readonly thread: "new" | "same" | "none";
    readonly isAnswered: boolean;
  };
}

const kept = { text: null, identity: null, thread: "none", isAnswered: false } as const;
const CASES: readonly Case[] = [
  ...AUTOMATIC.map(([name, verdict, mail]) => ({
    name: `no person wrote it: ${name}`,
    mail,
    isAnswerTo: null,
    expected: { ...kept, verdict },
  })),
  ...PERSONAL.map(([name, mail]) => ({
    name: `a person wrote it: ${name}`,
    mail,
    isAnswerTo: null,
    expected: {
      verdict: "accepted",
      text: "What is your return policy?",
      identity: "anonymous" as const,
      thread: "new" as const,
      isAnswered: true,
    },
  })),
  ...VISIBLE.map(([name, text, visible]) => ({
    name: `what was written: ${name}`,
    mail: { text },
    isAnswerTo: null,
    expected: {
      verdict: "accepted",
      text: visible,
      identity: "anonymous" as const,
      thread: "new" as const,
      isAnswered: true,
    },
  })),
  ...THREADS.map((each) => ({ ...each, name: `whose, and where: ${each.name}` })),
];

let it: MailSystem;
beforeAll(async () => {
  it = await createMailSystem({ trustedServer: "mx.northwind.example" });
});
afterAll(async () => {
  expect(it.errors).toEqual([]);
  await it.close();
  const counts = Map.groupBy(CASES, ({ expected }) => `${expected.verdict}, thread ${expected.thread}`);
  console.info(
    `corpus: ${CASES.length} mails; ${[...counts].map(([what, of]) => `${what}: ${of.length}`).join("; ")}`,
  );
});

test("has at least 60 mails, each with a name of its own", () => {
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  expect(CASES.length).toBeGreaterThanOrEqual(60);
});

test.each(CASES.map((each, n) => [each.name, each, n] as const))(
  "%s",
  async (_name, { mail, isAnswerTo, expected }, n) => {
    const own = mail.from ?? `person${n}@example.com`;
    const before =
      isAnswerTo === null ? null : await it.receive({ from: own, id: `<before${n}@example.com>` });
    const answer = before?.answers[0];
    const { receipt, answers } = await it.receive({
      ...mail,
      from: own,
      ...(isAnswerTo === "address" ? { to: answer?.replyTo ?? "" } : {}),
      ...(isAnswerTo === "subject" ? { subject: answer?.subject ?? "" } : {}),
      headers: {
        ...mail.headers,
        ...(isAnswerTo === "reference" ? { "in-reply-to": answer?.messageId ?? "" } : {}),
      },
    });
    const id = receipt?.conversationId ?? null;
    const said = id === null ? [] : (await it.messagesOf(id)).filter(({ author }) => author === "customer");
    const thread = id === null ? "none" : id === before?.receipt?.conversationId ? "same" : "new";
    const text = String(said.at(-1)?.payload.text ?? "");
    expect({
      verdict: receipt?.verdict,
      text: expected.text === null || text.endsWith(expected.text) ? expected.text : text,
      identity: id === null ? null : (await it.conversation(id)).assurance,
      thread,
      isAnswered: answers.length > 0,
    }).toEqual(expected);
    for (const { to } of answers) expect(to).toBe(/[^<\s]+@[^>\s]+/.exec(own)?.[0]?.toLowerCase());
  },
);

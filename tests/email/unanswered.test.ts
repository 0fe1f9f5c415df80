/** What an operator sees of mails that got no answer. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { MailRefused } from "../../src/channels/email/mailer.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { createMailSystem, type MailSystem, TENANT } from "./kit.ts";

let it: MailSystem;
const scope = tenantScope(TENANT);
const all = { isHandled: false, verdict: null, cursor: null, limit: 50 };
beforeEach(async () => {
  it = await createMailSystem({ trustedServer: "mx.northwind.example" });
});
afterEach(() => it.close());

test("each is listed with why, page by page, and no answered one is; another tenant sees none of them", async () => {
  await it.receive();
  for (let n = 0; n < 3; n += 1) {
    await it.receive({ from: "noreply@carrier.example", subject: `Ticket ${n}` });
    await it.pass(1_000);
  }
  await it.receive({
    from: "eve@evil.example",
    headers: { "authentication-results": "mx.northwind.example; dmarc=fail" },
  });
  const first = await it.email.unanswered.received(scope, { ...all, limit: 3 });
  expect(first.mails.map(({ verdict, subject, why }) => [verdict, subject, why])).toEqual([
    ["unauthentic", "A question", "DMARC failed"],
    ["automatic", "Ticket 2", "an address that nobody reads"],
    ["automatic", "Ticket 1", "an address that nobody reads"],
  ]);
  const second = await it.email.unanswered.received(scope, { ...all, limit: 3, cursor: first.next_cursor });
  expect([second.mails.map(({ subject }) => subject), second.next_cursor]).toEqual([["Ticket 0"], null]);
  const only = await it.email.unanswered.received(scope, { ...all, verdict: "unauthentic" });
  expect(only.mails).toHaveLength(1);
  const kestrel = tenantScope("kestrel" as TenantId);
  expect((await it.email.unanswered.received(kestrel, all)).mails).toEqual([]);
  await expect(it.email.unanswered.received(scope, { ...all, cursor: "x" })).rejects.toMatchObject({
    code: "cursor_unknown",
  });
});

test("one that somebody has dealt with is off the list, under the name of the first who did", async () => {
  await it.receive({ from: "noreply@carrier.example" });
  await it.receive();
  const [mail] = (await it.email.unanswered.received(scope, all)).mails;
  const id = mail?.mail_id ?? "";
  const both = await Promise.all(["olivia", "oscar"].map((by) => it.email.unanswered.handle(scope, id, by)));
  expect(new Set(both.map(({ handled_by }) => handled_by)).size).toBe(1);
  expect((await it.email.unanswered.received(scope, all)).mails).toEqual([]);
  expect((await it.email.unanswered.received(scope, { ...all, isHandled: true })).mails).toHaveLength(1);
  expect((await it.audit()).filter(({ kind }) => kind === "mail.handled")).toHaveLength(1);
  const kestrel = tenantScope("kestrel" as TenantId);
  for (const attempt of [
    it.email.unanswered.handle(kestrel, id, "eve"),
    it.email.unanswered.handle(scope, "mail-none", "olivia"),
  ]) {
    await expect(attempt).rejects.toMatchObject({ code: "not_found" });
  }
});

test("a mail of ours that was refused is listed with what the server said", async () => {
  it.refuseWith(new MailRefused("550 5.1.1 no such user", true));
  await it.receive();
  expect(await it.email.unanswered.sent(scope, 50)).toMatchObject([
    { state: "failed", address: "ada@example.com", error: "550 5.1.1 no such user", attempts: 1 },
  ]);
});

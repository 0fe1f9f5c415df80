/** Pictures over HTTP: kept once, seen by who may see the conversation, and never more than a picture. */
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import type { TenantId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { type Office, openOffice, TOKENS } from "../desk/office.ts";
import { tokenFor } from "../http/fixture.ts";
import { SAMPLES } from "./samples.ts";

let office: Office | undefined;
afterEach(async () => {
  expect(office?.w.errors ?? []).toEqual([]);
  await office?.close();
  office = undefined;
});

async function start() {
  const it = await openOffice();
  office = it;
  const { w, running } = it;
  const scope = w.scope("ada");
  const conversation = await w.open(scope);
  const send = async (
    bytes: Buffer,
    { sub = "ada", to = conversation as string, type = "image/png" } = {},
  ) => {
    const answer = await fetch(`${running.url}/v1/conversations/${to}/attachments`, {
      method: "POST",
      headers: { authorization: `Bearer ${await tokenFor({ sub })}`, "content-type": type },
      body: new Uint8Array(bytes),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests look at any member
    return { status: answer.status, json: (await answer.json()) as any };
  };
  const get = async (id: string, token: string, path = "") => {
    const answer = await fetch(`${running.url}/v1${path}/conversations/${conversation}/attachments/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return {
      status: answer.status,
      headers: answer.headers,
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };
  const rows = (table: "attachments" | "attachment_contents") =>
    w.store.transact(tenantScope("northwind" as TenantId), (tx) =>
      tx.selectFrom(table).select("hash").execute(),
    );
  return { ...it, scope, conversation, send, get, rows };
}

describe("a customer's picture", () => {
  test("goes with a message, shows in its event, and is served to them and to the shop's people", async () => {
    const { w, asCustomer, as, conversation, scope, send, get } = await start();
    const sent = await send(SAMPLES.jpeg, { type: "text/html" });
    expect(sent).toMatchObject({ status: 201, json: { type: "image/jpeg", width: 8, height: 4 } });
    const id = sent.json.attachment_id as string;
    const body = { client_message_id: "m-1", text: "It came broken", attachments: [id] };
    const path = `/v1/conversations/${conversation}/messages`;
    expect((await asCustomer("ada", "POST", path, body)).status).toBe(202);
    await w.drain();
    const [event] = await w.system.conversations.events(scope, conversation, 0);
    expect(event).toMatchObject({
      text: "It came broken",
      attachments: [{ attachment_id: id, type: "image/jpeg", width: 8, height: 4 }],
    });
    const inside = await as("olivia", "GET", `/v1/operator/conversations/${conversation}/events`);
    expect(inside.json.events[0].payload.attachments).toEqual([sent.json]);
    const seen = [await get(id, await tokenFor({ sub: "ada" })), await get(id, TOKENS.olivia, "/operator")];
    for (const { status, headers, bytes } of seen) {
      expect(status).toBe(200);
      expect(bytes.includes("Exif")).toBe(false);
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": "image/jpeg",
        "x-content-type-options": "nosniff",
        "content-disposition": `attachment; filename="${id}.jpeg"`,
        "content-security-policy": expect.stringContaining("sandbox"),
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store",
      });
    }
    expect(seen[0]?.bytes.equals(seen[1]?.bytes as Buffer)).toBe(true);
  });

  test("is nobody else's: another customer, another shop, another conversation get the same as none", async () => {
    const { w, scope, send, get, running, rows } = await start();
    const id = (await send(SAMPLES.png)).json.attachment_id as string;
    const nowhere = id.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    for (const answer of [
      await get(id, await tokenFor({ sub: "ben" })),
      await get(id, TOKENS.kim, "/operator"),
      await get(nowhere, await tokenFor({ sub: "ada" })),
    ]) {
      expect(answer.status).toBe(404);
    }
    const other = await w.open(scope);
    const elsewhere = await fetch(`${running.url}/v1/conversations/${other}/attachments/${id}`, {
      headers: { authorization: `Bearer ${await tokenFor({ sub: "ada" })}` },
    });
    expect(elsewhere.status).toBe(404);
    expect((await send(SAMPLES.png, { sub: "ben" })).status).toBe(404);
    expect(await rows("attachments")).toHaveLength(1);
    // And in the database itself: a customer's scope sees contents through their own rows only.
    const contents = (customer: string) =>
      w.store.transact(w.scope(customer), (tx) =>
        tx.selectFrom("attachment_contents").select("hash").execute(),
      );
    expect(await contents("ada")).toHaveLength(1);
    expect(await contents("ben")).toHaveLength(0);
  });

  test("sent again, by two people and at once, is kept once", async () => {
    const { w, send, rows } = await start();
    const ben = await w.open(w.scope("ben"));
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => send(SAMPLES.webp)),
      ...Array.from({ length: 8 }, () => send(SAMPLES.webp, { sub: "ben", to: ben })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 201));
    expect(new Set(answers.map(({ json }) => json.attachment_id)).size).toBe(2);
    expect(await rows("attachments")).toHaveLength(2);
    expect(await rows("attachment_contents")).toHaveLength(1);
  });

  test.each([
    ["an SVG with a script", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["HTML", "<script>alert(1)</script>"],
    ["nothing", ""],
  ])("is not %s, whatever it is called", async (_what, text) => {
    const { send, rows } = await start();
    const answer = await send(Buffer.from(text), { type: "image/svg+xml" });
    expect(answer).toMatchObject({ status: 422, json: { code: "attachment_invalid" } });
    expect(await rows("attachments")).toHaveLength(0);
  });

  test("is not larger than the limit, and unread beyond it", async () => {
    const { send } = await start();
    const big = Buffer.alloc(LIMITS.attachmentBytes + 1);
    SAMPLES.jpeg.copy(big);
    expect(await send(big)).toMatchObject({ status: 413, json: { code: "body_too_large" } });
  });

  test("goes with a message of its own conversation only, and the same message is the same with its pictures", async () => {
    const { w, scope, asCustomer, conversation, send } = await start();
    const other = await w.open(scope);
    const id = (await send(SAMPLES.png)).json.attachment_id as string;
    const say = (to: string, attachments: readonly string[], client_message_id = "m-1") =>
      asCustomer("ada", "POST", `/v1/conversations/${to}/messages`, {
        client_message_id,
        text: "look",
        attachments,
      });
    expect((await say(other, [id])).json.code).toBe("attachment_unknown");
    expect((await say(conversation, ["<script>"])).json.code).toBe("attachment_unknown");
    expect((await say(conversation, Array(LIMITS.attachmentsPerMessage + 1).fill(id))).status).toBe(400);
    const first = await say(conversation, [id]);
    expect((await say(conversation, [id])).json).toEqual(first.json);
    expect((await say(conversation, [])).json.code).toBe("client_message_id_reused");
    await w.drain();
  });

  test("is refused beyond what a conversation and a day hold", async () => {
    const { w, scope, conversation, send } = await start();
    await w.store.transact(scope, async (tx) => {
      await sql`insert into attachments (tenant_id, id, conversation_id, customer_id, hash, created_at_ms)
        select 'northwind', 'att_' || n, ${conversation}, 'ada', repeat('0', 64), 0
          from generate_series(1, ${LIMITS.attachmentsPerConversation}) n`.execute(tx);
      await sql`insert into attachment_contents values ('northwind', repeat('0', 64), 'image/png', 1, 1, '\\x00', 0)`.execute(
        tx,
      );
    });
    expect((await send(SAMPLES.png)).json.code).toBe("attachments_exhausted");
  });
});

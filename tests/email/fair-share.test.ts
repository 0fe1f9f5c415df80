import { expect, test } from "vitest";
import type { TenantId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { executeIn } from "../../src/store/store.ts";
import { createMailSystem } from "./kit.ts";

test("a tenant with many mails to send does not keep another tenant's waiting until all of them are sent; all are", async () => {
  const it = await createMailSystem();
  const many = 3 * LIMITS.mailsPerTurn;
  const [mine] = (await it.receive({ text: "What is your return policy?" })).answers;
  const queue = (tenant: string, count: number) =>
    it.store.transact(tenantScope(tenant as TenantId), (tx) =>
      executeIn(
        tx,
        `with talk as (insert into conversations (tenant_id, id, customer_id, channel, assurance, status, created_at_ms, updated_at_ms)
             values ($1::text, 'conv_many', 'someone', 'email', 'anonymous', 'open', 1, 1) returning id)
         insert into mail_outbox (tenant_id, id, conversation_id, seq_to, address, mail, state, next_at_ms, created_at_ms)
           select $1::text, '<' || $1::text || n || '@example.com>', talk.id, n, 'someone@example.com',
                  $2::jsonb || jsonb_build_object('messageId', '<' || $1::text || n || '@example.com>'), 'queued', 1, 1
             from talk, generate_series(1, $3::int) as n`,
        [tenant, JSON.stringify(mine), count],
      ),
    );
  const before = it.sent.length;
  await queue("northwind", many);
  await queue("kestrel", 1);
  expect(await it.email.mailer.sweep()).toBe(many + 1);
  const order = it.sent.slice(before).map(({ messageId }) => messageId);
  expect(order).toHaveLength(many + 1);
  expect(order.findIndex((id) => id.startsWith("<kestrel"))).toBe(LIMITS.mailsPerTurn);
  await it.close();
});

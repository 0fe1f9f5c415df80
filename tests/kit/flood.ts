/** Many runs at once that wait for a worker. */
import type { TenantId } from "../../src/kernel/ids.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { executeIn, type Store } from "../../src/store/store.ts";
import type { TestSystem } from "./system.ts";

/** Runs that wait, one a conversation, as they stand after messages that nobody has worked on. */
export async function flood(
  { store, clock }: Pick<TestSystem, "store" | "clock">,
  tenant: TenantId,
  name: string,
  count: number,
  urgentAtMs = clock.now(),
): Promise<void> {
  await store.transact(tenantScope(tenant), (tx) =>
    executeIn(
      tx,
      `with ids as (select $2::text || n as name from generate_series(1, $3::int) as n),
         people as (insert into customers (tenant_id, customer_id, created_at_ms) values ($1::text, $2::text, $4::bigint) on conflict do nothing),
         talks as (insert into conversations (tenant_id, id, customer_id, channel, assurance, status, next_seq, created_at_ms, updated_at_ms)
           select $1::text, 'conv_' || name, $2::text, 'chat', 'authenticated', 'with_agent', 2, $4::bigint, $4::bigint from ids returning id),
         said as (insert into events (tenant_id, conversation_id, seq, customer_id, at_ms, type, author, payload)
           select $1::text, id, 1, $2::text, $4::bigint, 'message', 'customer', '{"text": "hi there"}' from talks)
       insert into runs (tenant_id, id, conversation_id, customer_id, cause, state, deadline_ms, urgent_at_ms, created_at_ms, updated_at_ms)
         select $1::text, 'run_' || name, 'conv_' || name, $2::text, 'message', 'queued', $4::bigint, $5::bigint, $4::bigint, $4::bigint from ids`,
      [tenant, name, count, clock.now(), urgentAtMs],
    ),
  );
}

/** How many runs of a tenant are in a state. */
export async function runsIn(store: Store, tenant: TenantId, state: string): Promise<number> {
  const rows = await store.transact(tenantScope(tenant), (tx) =>
    tx
      .selectFrom("runs")
      .select("id")
      .where("state", "=", state as never)
      .execute(),
  );
  return rows.length;
}

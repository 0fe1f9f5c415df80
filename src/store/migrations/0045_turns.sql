-- Whose turn it is: what waits is found by tenant, most urgent first, so that one tenant's flood keeps nobody waiting.
-- An older version that still runs leaves `urgent_at_ms` at 0: its runs come first, as what has waited longest. Without the
-- two indexes that go it finds the same rows, more slowly.
-- phase: expand
set local search_path = recourse;

alter table runs add column urgent_at_ms bigint not null default 0;
create index runs_waiting on runs (tenant_id, urgent_at_ms) where state = 'queued';
create index runs_under_way on runs (tenant_id, lease_until_ms) where state = 'running';
-- Of all tenants together, without an order: the two above take its place, and a run is not written to more of them.
drop index runs_live;
create index actions_due_of_tenant on actions (tenant_id, next_attempt_ms)
  where state in ('scheduled', 'executing', 'unknown', 'pending', 'awaiting_approval');
drop index actions_due;

-- Who looks for work sees which tenants there are, and nothing of them.
grant select (urgent_at_ms) on runs to recourse_sweeper;
grant select (tenant_id) on tenants to recourse_sweeper;
create policy sweep on tenants for select to recourse_sweeper using (true);

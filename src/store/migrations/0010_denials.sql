-- What the policy denied, with the facts that it read: an action row exists only for what was allowed or waits for a
-- person. It is how a new version of a policy can be tried on what was asked of the old one.
set local search_path = recourse;

create table denials (
  tenant_id       text not null references tenants,
  -- of the run and the facts: a run that is repeated is denied once
  id              text not null,
  customer_id     text not null,
  conversation_id text not null,
  run_id          text not null,
  kind            text not null check (kind in ('refund', 'return')),
  order_number    text not null,
  amount_minor    bigint not null check (amount_minor >= 0),
  currency        text not null,
  decision        jsonb not null,
  at_ms           bigint not null,
  primary key (tenant_id, id)
);
create index denials_latest on denials (tenant_id, at_ms desc);
create index actions_latest on actions (tenant_id, created_at_ms desc);

grant select, insert on denials to recourse_app;
alter table denials enable row level security;
alter table denials force row level security;
create policy scope on denials to recourse_app using (recourse.sees(tenant_id, customer_id)) with check (recourse.sees(tenant_id, customer_id));

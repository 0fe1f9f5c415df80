-- With a Kafka broker: accepted messages that are still to go to it, written in the transaction that accepts them, and
-- who forwards them now. IDs only; what was said stays in `events`. An older version leaves both tables alone.
-- phase: expand
set local search_path = recourse;

create table kafka_outbox (
  tenant_id       text not null references tenants,
  -- drawn under the conversation's row lock: in one conversation it grows with `seq`
  position        bigint generated always as identity,
  channel         text not null check (channel in ('chat', 'email')),
  conversation_id text not null,
  seq             integer not null,
  run_id          text not null,
  at_ms           bigint not null,
  primary key (tenant_id, position)
);
create index kafka_outbox_order on kafka_outbox (channel, position);

-- One row at most. A process that forwards holds it; one that died lets it run out. Of no tenant.
create table kafka_forwarder (
  id             integer primary key check (id = 1),
  owner          text not null,
  lease_until_ms bigint not null
);

alter table kafka_outbox enable row level security;
alter table kafka_outbox force row level security;
alter table kafka_forwarder enable row level security;
alter table kafka_forwarder force row level security;
-- Who accepts a message may write it down, and no more.
create policy accept on kafka_outbox for insert to recourse_app with check (tenant_id = current_setting('recourse.tenant', true));
grant insert on kafka_outbox to recourse_app;
-- Who forwards sees IDs of all tenants, as the sweep does.
create policy forward on kafka_outbox to recourse_sweeper using (true);
create policy forward on kafka_forwarder to recourse_sweeper using (true) with check (true);
grant select, delete on kafka_outbox to recourse_sweeper;
grant select, insert, update on kafka_forwarder to recourse_sweeper;

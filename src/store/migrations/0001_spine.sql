-- The spine: conversations, runs, actions, allocations, reviews, audit.
-- Instants are bigint epoch milliseconds (`…_ms`); amounts are bigint minor units (`…_minor`).
-- Every table of a tenant has row-level security, forced, for a role that cannot bypass it.
-- Scope comes from two settings made per transaction: recourse.tenant and recourse.customer ('*' = all).

-- recourse_app: every statement of the product. recourse_sweeper: finds work that nobody woke, in every
-- tenant; it may read IDs, states and times of two tables and nothing else.
do $$ begin
  -- roles belong to the whole server: another database of it may have made them
  if not exists (select 1 from pg_roles where rolname = 'recourse_app') then
    create role recourse_app nologin noinherit;
  end if;
  if not exists (select 1 from pg_roles where rolname = 'recourse_sweeper') then
    create role recourse_sweeper nologin noinherit;
  end if;
end $$;

create schema recourse;
grant usage on schema recourse to recourse_app, recourse_sweeper;
set local search_path = recourse;

create function recourse.sees(row_tenant text, row_customer text) returns boolean
  language sql stable parallel safe
  as $$ select row_tenant = current_setting('recourse.tenant', true)
           and (current_setting('recourse.customer', true) = '*'
                or row_customer = current_setting('recourse.customer', true)) $$;

create table tenants (
  tenant_id  text primary key,
  name       text not null,
  currency   text not null,
  time_zone  text not null
);

-- One row a customer: what concurrent actions of one customer lock (rolling limits).
create table customers (
  tenant_id   text not null references tenants,
  customer_id text not null,
  created_at_ms bigint not null,
  primary key (tenant_id, customer_id)
);

create table conversations (
  tenant_id     text not null references tenants,
  id            text not null,
  customer_id   text not null,
  channel       text not null check (channel in ('chat', 'email')),
  assurance     text not null check (assurance in ('anonymous', 'claimed', 'email_verified', 'authenticated')),
  status        text not null check (status in ('open', 'with_agent', 'with_person', 'resolved')),
  next_seq      integer not null default 1,
  -- customer messages up to here have their answer
  answered_seq  integer not null default 0,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  primary key (tenant_id, id)
);
create index conversations_of_customer on conversations (tenant_id, customer_id, created_at_ms desc);

-- The event log of a conversation: gapless seq, never changed. `internal` is never shown to a customer.
create table events (
  tenant_id         text not null,
  conversation_id   text not null,
  seq               integer not null,
  customer_id       text not null,
  at_ms             bigint not null,
  type              text not null check (type in ('message', 'action', 'run', 'status')),
  author            text check (author in ('customer', 'agent', 'operator', 'system')),
  payload           jsonb not null,
  internal          jsonb,
  client_message_id text,
  primary key (tenant_id, conversation_id, seq),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id)
);
create unique index events_client_message on events (tenant_id, conversation_id, client_message_id)
  where client_message_id is not null;

create table runs (
  tenant_id       text not null,
  id              text not null,
  conversation_id text not null,
  customer_id     text not null,
  cause           text not null check (cause in ('message', 'action')),
  state           text not null check (state in ('queued', 'running', 'completed', 'handed_off', 'cancelled', 'expired', 'failed')),
  -- fencing: every write of a run compares and sets it
  version         integer not null default 1,
  attempts        integer not null default 0,
  lease_owner     text,
  lease_until_ms  bigint,
  deadline_ms     bigint not null,
  cancel_requested boolean not null default false,
  outcome         jsonb,
  created_at_ms   bigint not null,
  updated_at_ms   bigint not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id)
);
create unique index runs_one_live on runs (tenant_id, conversation_id) where state in ('queued', 'running');
create index runs_live on runs (updated_at_ms) where state in ('queued', 'running');

create table steps (
  tenant_id   text not null,
  run_id      text not null,
  n           integer not null,
  customer_id text not null,
  at_ms       bigint not null,
  proposal    jsonb not null,
  outcome     jsonb not null,
  primary key (tenant_id, run_id, n),
  foreign key (tenant_id, run_id) references runs (tenant_id, id)
);

create table actions (
  tenant_id        text not null,
  id               text not null,
  customer_id      text not null,
  conversation_id  text not null,
  run_id           text not null,
  kind             text not null check (kind in ('refund', 'return')),
  state            text not null check (state in ('denied', 'awaiting_approval', 'rejected', 'expired', 'scheduled', 'cancelled',
                     'executing', 'pending', 'unknown', 'needs_person', 'succeeded', 'failed')),
  version          integer not null default 1,
  order_id         text not null,
  order_number     text not null,
  charge_id        text,
  amount_minor     bigint not null check (amount_minor >= 0),
  currency         text not null,
  args             jsonb not null,
  args_hash        text not null,
  items_text       text not null,
  idempotency_key  text not null,
  -- policy version, clauses and facts of the latest evaluation
  decision         jsonb not null,
  proposed_by      text not null,
  approved_by      text,
  attempts         integer not null default 0,
  first_attempt_ms bigint,
  next_attempt_ms  bigint,
  lease_owner      text,
  lease_until_ms   bigint,
  provider_ref     text,
  evidence         jsonb,
  -- the state of which the customer has last been told by a message
  told_state       text,
  created_at_ms    bigint not null,
  updated_at_ms    bigint not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id)
);
create unique index actions_idempotency_key on actions (tenant_id, idempotency_key);
create index actions_of_customer on actions (tenant_id, customer_id, created_at_ms desc);
create index actions_of_order on actions (tenant_id, order_id);
create index actions_provider_ref on actions (tenant_id, provider_ref) where provider_ref is not null;
create index actions_due on actions (next_attempt_ms) where state in ('scheduled', 'executing', 'unknown', 'pending', 'awaiting_approval');

-- G1, second barrier: one live allocation per purchased unit and kind …
create table allocations (
  tenant_id    text not null,
  order_id     text not null,
  line_item_id text not null,
  unit_index   integer not null check (unit_index >= 0),
  kind         text not null check (kind in ('refund', 'return')),
  action_id    text not null,
  customer_id  text not null,
  amount_minor bigint not null check (amount_minor >= 0),
  state        text not null check (state in ('held', 'captured', 'released')),
  primary key (tenant_id, action_id, line_item_id, unit_index),
  foreign key (tenant_id, action_id) references actions (tenant_id, id)
);
create unique index allocations_one_live on allocations (tenant_id, kind, order_id, line_item_id, unit_index)
  where state in ('held', 'captured');

-- … and a balance that cannot go below zero.
create table order_balances (
  tenant_id      text not null,
  order_id       text not null,
  customer_id    text not null,
  charge_id      text not null,
  currency       text not null,
  captured_minor bigint not null,
  -- our actions without a final outcome, our confirmed ones, and refunds made elsewhere
  held_minor     bigint not null default 0 check (held_minor >= 0),
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  external_minor bigint not null default 0 check (external_minor >= 0),
  primary key (tenant_id, order_id),
  constraint order_balance_not_negative check (captured_minor - held_minor - refunded_minor - external_minor >= 0)
);

create table external_refunds (
  tenant_id    text not null,
  provider_ref text not null,
  order_id     text not null,
  customer_id  text not null,
  amount_minor bigint not null,
  status       text not null,
  seen_at_ms   bigint not null,
  primary key (tenant_id, provider_ref)
);

create table reviews (
  tenant_id       text not null,
  id              text not null,
  customer_id     text not null,
  conversation_id text not null,
  kind            text not null check (kind in ('approval', 'handoff', 'uncertain')),
  state           text not null check (state in ('open', 'decided', 'expired', 'withdrawn')),
  version         integer not null default 1,
  reason          text not null,
  action_id       text,
  args_hash       text,
  packet          jsonb not null,
  decision        jsonb,
  created_at_ms   bigint not null,
  updated_at_ms   bigint not null,
  expires_at_ms   bigint,
  primary key (tenant_id, id)
);
create unique index reviews_one_open_per_action on reviews (tenant_id, action_id) where action_id is not null and state = 'open';
create index reviews_open on reviews (tenant_id, created_at_ms) where state = 'open';

-- Append-only, hash-chained per tenant; `customer_id` scopes it, `subject` says what it is about.
create table audit (
  tenant_id   text not null,
  n           bigint not null,
  at_ms       bigint not null,
  kind        text not null,
  subject     text not null,
  customer_id text not null,
  body        jsonb not null,
  prev_hash   text not null,
  hash        text not null,
  primary key (tenant_id, n)
);
create index audit_of_subject on audit (tenant_id, subject, n);
create table audit_heads (
  tenant_id text primary key references tenants,
  n         bigint not null,
  hash      text not null
);

create table policy_versions (
  tenant_id       text not null references tenants,
  policy_id       text not null,
  version         text not null,
  effective_from  text not null,
  hash            text not null,
  source          text not null,
  published_at_ms bigint not null,
  published_by    text not null,
  primary key (tenant_id, policy_id, version),
  unique (tenant_id, policy_id, effective_from)
);

-- What a provider delivered to a webhook, once per delivery ID. It belongs to no tenant and holds nothing of one:
-- several may share a provider account.
create table webhook_deliveries (
  source      text not null,
  delivery_id text not null,
  type        text not null,
  at_ms       bigint not null,
  outcome     text not null,
  primary key (source, delivery_id)
);

create table csat (
  tenant_id       text not null,
  conversation_id text not null,
  customer_id     text not null,
  score           integer not null check (score between 1 and 5),
  comment         text,
  at_ms           bigint not null,
  primary key (tenant_id, conversation_id)
);

-- Least privilege: what is history can only be added to.
grant select, insert on events, steps, audit, external_refunds, webhook_deliveries, csat, customers, policy_versions to recourse_app;
grant select, insert, update on tenants, conversations, runs, actions, allocations, order_balances, reviews, audit_heads to recourse_app;
grant update (status, amount_minor) on external_refunds to recourse_app;
grant update (outcome) on webhook_deliveries to recourse_app;
-- SELECT … FOR UPDATE needs the right to update one column; the column never changes.
grant update (created_at_ms) on customers to recourse_app;

do $$
declare t text;
begin
  foreach t in array array['customers', 'conversations', 'events', 'runs', 'steps', 'actions', 'allocations', 'order_balances',
                           'external_refunds', 'reviews', 'audit', 'csat'] loop
    execute format('alter table recourse.%I enable row level security', t);
    execute format('alter table recourse.%I force row level security', t);
    execute format('create policy scope on recourse.%I to recourse_app using (recourse.sees(tenant_id, customer_id)) with check (recourse.sees(tenant_id, customer_id))', t);
  end loop;
  foreach t in array array['tenants', 'audit_heads', 'policy_versions'] loop
    execute format('alter table recourse.%I enable row level security', t);
    execute format('alter table recourse.%I force row level security', t);
    execute format('create policy scope on recourse.%I to recourse_app using (tenant_id = current_setting(''recourse.tenant'', true)) with check (tenant_id = current_setting(''recourse.tenant'', true))', t);
  end loop;
end $$;
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy of_no_tenant on webhook_deliveries to recourse_app using (true) with check (true);

grant select (tenant_id, id, state, customer_id, lease_until_ms, updated_at_ms, deadline_ms) on runs to recourse_sweeper;
grant select (tenant_id, id, state, customer_id, lease_until_ms, next_attempt_ms, updated_at_ms) on actions to recourse_sweeper;
create policy sweep on runs for select to recourse_sweeper using (true);
create policy sweep on actions for select to recourse_sweeper using (true);

-- Language models: what each run asked of them, and every single call with what it cost.
-- Money of models is in micro-units (millionths) of US dollars, whole numbers (`…_micros`).
set local search_path = recourse;

-- Null: no model was asked. `tier` is the highest that was.
alter table runs
  add column tier           text check (tier in ('small', 'large')),
  add column model          text,
  add column prompt_version text,
  add column model_calls    integer,
  add column input_tokens   integer,
  add column output_tokens  integer,
  add column cost_micros    bigint;

-- One row an answer of a provider, unusable ones too: they cost as well. Budgets of a day are sums of it. It is
-- written by itself, before its run ends, so that a run that dies has still been paid for: no foreign key.
create table model_calls (
  tenant_id      text not null references tenants,
  id             text not null,
  run_id         text not null,
  at_ms          bigint not null,
  tier           text not null check (tier in ('small', 'large')),
  model          text not null,
  prompt_version text not null,
  input_tokens   integer not null check (input_tokens >= 0),
  cached_tokens  integer not null check (cached_tokens >= 0),
  output_tokens  integer not null check (output_tokens >= 0),
  cost_micros    bigint not null check (cost_micros >= 0),
  -- 'answered', or what was wrong with the answer
  outcome        text not null,
  took_ms        integer not null,
  primary key (tenant_id, id)
);
create index model_calls_of_day on model_calls (tenant_id, at_ms);
create index model_calls_of_run on model_calls (tenant_id, run_id);

grant select, insert on model_calls to recourse_app;
alter table model_calls enable row level security;
alter table model_calls force row level security;
-- What an answer cost is the tenant's affair: no customer's scope sees it.
create policy of_tenant on model_calls to recourse_app
  using (tenant_id = current_setting('recourse.tenant', true) and current_setting('recourse.customer', true) = '*')
  with check (tenant_id = current_setting('recourse.tenant', true) and current_setting('recourse.customer', true) = '*');

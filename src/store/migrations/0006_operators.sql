-- People who work for a merchant: how they sign in, what they may do, keys for scripts, and what is set for a tenant.
-- Two roles share it. `recourse_identity` knows who somebody is, whichever tenants they work for: passwords, sessions and
-- second factors are its alone. `recourse_app` knows who works for the tenant of its scope, and sees no secret of anybody.
do $$ begin
  if not exists (select 1 from pg_roles where rolname = 'recourse_identity') then
    create role recourse_identity nologin noinherit;
  end if;
end $$;
grant usage on schema recourse to recourse_identity;
set local search_path = recourse;

-- The five tables of better-auth: their columns are its fields in snake case, their instants are dates because it
-- reads and writes dates.
create table identity_users (
  id                 text primary key,
  name               text not null,
  email              text not null unique check (email = lower(email)),
  email_verified     boolean not null default false,
  image              text,
  two_factor_enabled boolean not null default false,
  created_at         timestamptz not null,
  updated_at         timestamptz not null
);
create table identity_sessions (
  id         text primary key,
  user_id    text not null references identity_users on delete cascade,
  -- useless by itself: a cookie also has its signature with the server's secret
  token      text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index identity_sessions_of_user on identity_sessions (user_id);
-- How a person proves to be themselves: a password (scrypt), or an account at the company's identity provider.
create table identity_accounts (
  id                       text primary key,
  user_id                  text not null references identity_users on delete cascade,
  provider_id              text not null,
  account_id               text not null,
  password                 text,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  unique (provider_id, account_id)
);
create index identity_accounts_of_user on identity_accounts (user_id);
-- What is waited for: a second factor after a password, the answer of an identity provider.
create table identity_verifications (
  id         text primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index identity_verifications_by_identifier on identity_verifications (identifier);
-- Secret and recovery codes are encrypted with the server's secret.
create table identity_second_factors (
  id                        text primary key,
  user_id                   text not null unique references identity_users on delete cascade,
  secret                    text not null,
  backup_codes              text not null,
  verified                  boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until              timestamptz
);

-- Codes of second factors that were used: each opens one session.
create table identity_used_codes (
  user_id    text not null references identity_users on delete cascade,
  code_hash  text not null,
  used_at_ms bigint not null,
  primary key (user_id, code_hash)
);
-- Failed attempts by what was typed, known or not, so that the answer is the same for both.
create table identity_attempts (
  subject_hash text primary key,
  failures     integer not null,
  since_ms     bigint not null
);

-- Who works for which tenant, and as what. Name and email are copies of the person's.
create table operators (
  tenant_id     text not null references tenants,
  id            text not null references identity_users on delete cascade,
  name          text not null,
  email         text not null,
  role          text not null check (role in ('agent', 'lead', 'admin', 'auditor')),
  state         text not null check (state in ('active', 'disabled')),
  -- a person of the demo: outside it, nobody
  demo          boolean not null default false,
  version       integer not null default 1,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  primary key (tenant_id, id)
);
create unique index operators_by_email on operators (tenant_id, email);
create index operators_of_person on operators (id);

create table operator_invitations (
  tenant_id      text not null references tenants,
  id             text not null,
  -- 'reset': somebody who works here already sets a new password
  kind           text not null check (kind in ('join', 'reset')),
  email          text not null check (email = lower(email)),
  role           text not null check (role in ('agent', 'lead', 'admin', 'auditor')),
  -- SHA-256 of the code in the link
  code_hash      text not null,
  state          text not null check (state in ('open', 'accepted', 'withdrawn')),
  invited_by     text not null,
  created_at_ms  bigint not null,
  expires_at_ms  bigint not null,
  accepted_at_ms bigint,
  primary key (tenant_id, id)
);
create unique index operator_invitations_one_open on operator_invitations (tenant_id, email) where state = 'open';

create table operator_keys (
  tenant_id       text not null references tenants,
  id              text not null unique,
  name            text not null,
  -- SHA-256 of the secret: 32 random bytes, so nothing slower is needed
  secret_hash     text not null,
  scopes          jsonb not null,
  state           text not null check (state in ('active', 'revoked')),
  created_by      text not null,
  created_at_ms   bigint not null,
  expires_at_ms   bigint,
  last_used_at_ms bigint,
  revoked_at_ms   bigint,
  primary key (tenant_id, id)
);

-- What is set for a tenant at run time; what is not here has its default in code.
create table tenant_settings (
  tenant_id     text not null references tenants,
  area          text not null,
  value         jsonb not null,
  version       integer not null default 1,
  updated_at_ms bigint not null,
  updated_by    text not null,
  primary key (tenant_id, area)
);

grant select, insert, update, delete on identity_users, identity_sessions, identity_accounts, identity_verifications,
  identity_second_factors, identity_used_codes, identity_attempts to recourse_identity;
grant select on operators to recourse_identity;
grant select, update (last_used_at_ms) on operator_keys to recourse_identity;
grant select, insert, update on operators, operator_invitations, operator_keys, tenant_settings to recourse_app;

do $$
declare t text;
begin
  foreach t in array array['identity_users', 'identity_sessions', 'identity_accounts', 'identity_verifications',
                           'identity_second_factors', 'identity_used_codes', 'identity_attempts'] loop
    execute format('alter table recourse.%I enable row level security', t);
    execute format('alter table recourse.%I force row level security', t);
    execute format('create policy of_identity on recourse.%I to recourse_identity using (true) with check (true)', t);
  end loop;
  -- No customer's scope sees who works here.
  foreach t in array array['operators', 'operator_invitations', 'operator_keys', 'tenant_settings'] loop
    execute format('alter table recourse.%I enable row level security', t);
    execute format('alter table recourse.%I force row level security', t);
    execute format('create policy of_tenant on recourse.%I to recourse_app using (tenant_id = current_setting(''recourse.tenant'', true) and current_setting(''recourse.customer'', true) = ''*'') with check (tenant_id = current_setting(''recourse.tenant'', true) and current_setting(''recourse.customer'', true) = ''*'')', t);
  end loop;
end $$;
create policy of_identity on operators for select to recourse_identity using (true);
create policy of_identity on operator_keys to recourse_identity using (true) with check (true);

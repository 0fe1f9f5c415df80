-- Email: what came in, which conversation it belongs to, what goes out, and links that say who somebody is.
-- Only the product itself works with these tables, in the scope of a tenant: a customer's scope sees none of them.
set local search_path = recourse;

-- `email_verified` holds until then; null where the assurance does not run out.
alter table conversations add column verified_until_ms bigint;

create table mail_threads (
  tenant_id       text not null references tenants,
  conversation_id text not null,
  -- the one participant: only mail from here goes on with the conversation, and answers go only here
  address         text not null,
  subject         text not null,
  -- the unguessable part of the address that answers come back to
  reply_ref       text not null,
  -- of the customer's mails, newest last
  message_ids     jsonb not null default '[]',
  -- events up to here have been looked at: what was to be mailed of them is in the outbox
  mailed_seq      integer not null default 0,
  created_at_ms   bigint not null,
  primary key (tenant_id, conversation_id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id)
);
create unique index mail_threads_reply on mail_threads (tenant_id, reply_ref);

create table mail_received (
  tenant_id       text not null references tenants,
  -- of Message-ID and recipient: the same mail, delivered twice, is one row
  id              text not null,
  conversation_id text,
  verdict         text not null check (verdict in ('accepted', 'automatic', 'bounce', 'own', 'unauthentic', 'too_many', 'unreadable')),
  why             text not null,
  address         text not null,
  subject         text not null,
  message_id      text not null,
  -- what it says it answers, seen by us or not: a later mail of the same writer may name the same
  refs            jsonb not null default '[]',
  -- the whole text, quotes and signature included, card numbers masked
  full_text       text not null,
  attachments     jsonb not null default '[]',
  bytes           integer not null,
  at_ms           bigint not null,
  primary key (tenant_id, id)
);
create index mail_received_from on mail_received (tenant_id, address, at_ms desc);

create table mail_outbox (
  tenant_id       text not null references tenants,
  -- its Message-ID, the same at each try
  id              text not null,
  conversation_id text not null,
  seq_to          integer not null,
  address         text not null,
  -- rendered once: headers, text and HTML as they are sent
  mail            jsonb not null,
  state           text not null check (state in ('queued', 'sent', 'unknown', 'bounced', 'failed', 'suppressed')),
  attempts        integer not null default 0,
  next_at_ms      bigint not null,
  lease_until_ms  bigint,
  last_error      text,
  created_at_ms   bigint not null,
  sent_at_ms      bigint,
  primary key (tenant_id, id),
  unique (tenant_id, conversation_id, seq_to)
);
create index mail_outbox_due on mail_outbox (tenant_id, next_at_ms) where state = 'queued';

-- Addresses that nothing is sent to any more.
create table mail_suppressions (
  tenant_id text not null references tenants,
  address   text not null,
  reason    text not null check (reason in ('bounced', 'refused', 'complained')),
  at_ms     bigint not null,
  primary key (tenant_id, address)
);

create table identity_links (
  tenant_id       text not null references tenants,
  id              text not null,
  conversation_id text not null,
  address         text not null,
  expires_at_ms   bigint not null,
  used_at_ms      bigint,
  primary key (tenant_id, id)
);

do $$
declare t text;
begin
  foreach t in array array['mail_threads', 'mail_received', 'mail_outbox', 'mail_suppressions', 'identity_links'] loop
    execute format('alter table recourse.%I enable row level security', t);
    execute format('alter table recourse.%I force row level security', t);
    execute format('create policy of_tenant on recourse.%I to recourse_app using (tenant_id = current_setting(''recourse.tenant'', true) and current_setting(''recourse.customer'', true) = ''*'') with check (tenant_id = current_setting(''recourse.tenant'', true) and current_setting(''recourse.customer'', true) = ''*'')', t);
  end loop;
end $$;
grant select, insert, update on mail_threads, mail_outbox, identity_links to recourse_app;
create index mail_received_id on mail_received (tenant_id, address, message_id);
grant select, insert on mail_received, mail_suppressions to recourse_app;

-- phase: expand
-- Erasing a customer: a role of its own may take words away, which the application's role may not. It can change nothing
-- else: no amount, no state, no time, no entry of the audit log.
do $$ begin
  if not exists (select 1 from pg_roles where rolname = 'recourse_eraser') then
    create role recourse_eraser nologin noinherit;
  end if;
end $$;
grant usage on schema recourse to recourse_eraser;
set local search_path = recourse;

-- Who asked to be erased, by the hash of the ID, so that a restored backup can be erased again.
create table erasures (
  tenant_id      text not null references tenants,
  id             text not null,
  customer_hash  text not null,
  asked_by       text not null,
  asked_at_ms    bigint not null,
  -- null while something of theirs is still open: then it is done again
  erased_at_ms   bigint,
  report         jsonb not null default '{}',
  primary key (tenant_id, id)
);
create unique index erasures_of_customer on erasures (tenant_id, customer_hash);
create index erasures_open on erasures (tenant_id, asked_at_ms) where erased_at_ms is null;

alter table erasures enable row level security;
alter table erasures force row level security;
create policy of_tenant on erasures to recourse_app
  using (tenant_id = current_setting('recourse.tenant', true) and current_setting('recourse.customer', true) = '*')
  with check (tenant_id = current_setting('recourse.tenant', true) and current_setting('recourse.customer', true) = '*');
grant select, insert, update on erasures to recourse_app;

alter table conversations add column erased_at_ms bigint;

grant select on conversations, events, runs, steps, actions, reviews, review_decisions, csat, attachments, attachment_contents,
  conversation_notes, conversation_tags, drafts, mail_threads, mail_received, mail_outbox, mail_suppressions, identity_links,
  audit_texts to recourse_eraser;
grant update (erased_at_ms) on conversations to recourse_eraser;
grant update (payload, internal, client_message_id) on events to recourse_eraser;
grant update (outcome) on runs to recourse_eraser;
grant update (proposal, outcome) on steps to recourse_eraser;
grant update (evidence) on actions to recourse_eraser;
grant update (packet, decision, first_approval, asked, changes) on reviews to recourse_eraser;
grant update (note) on review_decisions to recourse_eraser;
grant update (comment) on csat to recourse_eraser;
grant delete on attachments, attachment_contents, conversation_notes, conversation_tags, drafts, mail_threads, mail_received,
  mail_outbox, mail_suppressions, identity_links, audit_texts to recourse_eraser;

do $$
declare t text;
begin
  foreach t in array array['conversations', 'events', 'runs', 'steps', 'actions', 'reviews', 'review_decisions', 'csat',
      'attachments', 'attachment_contents', 'conversation_notes', 'conversation_tags', 'drafts', 'mail_threads', 'mail_received',
      'mail_outbox', 'mail_suppressions', 'identity_links', 'audit_texts'] loop
    execute format('create policy erasing on recourse.%I to recourse_eraser using (tenant_id = current_setting(''recourse.tenant'', true)) with check (tenant_id = current_setting(''recourse.tenant'', true))', t);
  end loop;
end $$;

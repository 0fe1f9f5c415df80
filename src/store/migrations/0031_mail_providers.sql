-- Mail by providers: what a delivery's token was used for, under which name a provider sent a mail, mails that are
-- too large to keep, and which of the unanswered ones somebody has dealt with.
set local search_path = recourse;

alter table mail_received drop constraint mail_received_verdict_check;
alter table mail_received add constraint mail_received_verdict_check check (verdict in
  ('accepted', 'automatic', 'bounce', 'own', 'unauthentic', 'too_many', 'unreadable', 'too_large'));
alter table mail_received add column handled_at_ms bigint, add column handled_by text;
create index mail_received_open on mail_received (tenant_id, at_ms desc) where verdict <> 'accepted';

-- the Message-ID that a provider gave it instead of ours; answers refer to that one
alter table mail_outbox add column sent_as text;
create index mail_outbox_sent_as on mail_outbox (tenant_id, sent_as) where sent_as is not null;

-- A signature of Mailgun covers a token and not the mail: a token is good for one content.
create table mail_deliveries (
  tenant_id text not null references tenants,
  token     text not null,
  digest    text not null,
  at_ms     bigint not null,
  primary key (tenant_id, token)
);
alter table mail_deliveries enable row level security;
alter table mail_deliveries force row level security;
create policy of_tenant on mail_deliveries to recourse_app
  using (tenant_id = current_setting('recourse.tenant', true) and current_setting('recourse.customer', true) = '*')
  with check (tenant_id = current_setting('recourse.tenant', true) and current_setting('recourse.customer', true) = '*');
grant select, insert on mail_deliveries to recourse_app;
grant update (handled_at_ms, handled_by) on mail_received to recourse_app;

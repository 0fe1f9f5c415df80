-- Pictures that customers send. What a picture is made of is kept once a tenant, by the hash of what is kept; who sent
-- it, and where, is a row of its own, and only through one is the content seen.
set local search_path = recourse;

create table attachment_contents (
  tenant_id     text not null references tenants,
  -- SHA-256 of `bytes`, in hex
  hash          text not null check (hash ~ '^[0-9a-f]{64}$'),
  type          text not null check (type in ('image/jpeg', 'image/png', 'image/webp')),
  width         integer not null check (width > 0),
  height        integer not null check (height > 0),
  -- without metadata: see src/conversations/attachments/picture.ts
  bytes         bytea not null,
  created_at_ms bigint not null,
  primary key (tenant_id, hash)
);

create table attachments (
  tenant_id       text not null,
  id              text not null,
  conversation_id text not null,
  customer_id     text not null,
  hash            text not null,
  created_at_ms   bigint not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id),
  -- Checked at the end: the row that lets the content be seen is written first.
  foreign key (tenant_id, hash) references attachment_contents (tenant_id, hash) deferrable initially deferred
);
create index attachments_of_conversation on attachments (tenant_id, conversation_id);
create index attachments_of_customer on attachments (tenant_id, customer_id, created_at_ms);
create index attachments_of_content on attachments (tenant_id, hash);

grant select, insert on attachments, attachment_contents to recourse_app;

alter table attachments enable row level security;
alter table attachments force row level security;
create policy scope on attachments to recourse_app
  using (recourse.sees(tenant_id, customer_id)) with check (recourse.sees(tenant_id, customer_id));

alter table attachment_contents enable row level security;
alter table attachment_contents force row level security;
-- The rows of `attachments` in here are those that the same scope sees.
create policy scope on attachment_contents to recourse_app
  using (tenant_id = current_setting('recourse.tenant', true)
         and exists (select 1 from recourse.attachments a
                      where a.tenant_id = attachment_contents.tenant_id and a.hash = attachment_contents.hash))
  with check (tenant_id = current_setting('recourse.tenant', true));

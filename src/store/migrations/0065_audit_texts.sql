-- phase: expand
-- What people write in words stands beside the chain and not in it: the entry holds the salted hash, so that the words
-- can be removed when a customer is erased and every link still holds.
-- phase: expand
set local search_path = recourse;

create table audit_texts (
  tenant_id   text not null,
  n           bigint not null,
  name        text not null,
  customer_id text not null,
  salt        text not null,
  text        text not null,
  primary key (tenant_id, n, name),
  foreign key (tenant_id, n) references audit (tenant_id, n)
);
create index audit_texts_of_customer on audit_texts (tenant_id, customer_id);

alter table audit_texts enable row level security;
alter table audit_texts force row level security;
create policy scope on audit_texts to recourse_app
  using (recourse.sees(tenant_id, customer_id)) with check (recourse.sees(tenant_id, customer_id));
grant select, insert, delete on audit_texts to recourse_app;

-- Last of three: the table so far becomes the first part of one of the same name. The bound is known to hold, so that nothing is
-- looked through while it is exchanged. Who may do what stays as it is, whatever else was granted meanwhile.
--
-- Parts hold rows only: nobody is granted anything on them, and row-level security shows nobody a row of one by itself.
-- `events_other` takes what no part is there for: nothing is ever refused because a month was not made.
set local search_path = recourse;

-- In the order in which who writes a message takes them: the other way round, two would wait for each other.
lock table conversations in access exclusive mode;
lock table events in access exclusive mode;

alter table events rename to events_first;
alter index events_pkey rename to events_first_pkey;
alter index events_client_message rename to events_first_client_message;
drop trigger only_from_a_visitor on events_first;

create table events (like events_first including defaults including constraints) partition by range (conversation_id);

do $$
declare
  bound text := (select substring(pg_get_constraintdef(oid) from 'conv_[0-9a-f]{8}-[0-9a-f]{4}') from pg_constraint
                  where conname = 'events_bound' and conrelid = 'recourse.events_first'::regclass);
  each record;
begin
  execute format('alter table events attach partition events_first for values from (minvalue) to (%L)', bound);
  for each in select grantee::regrole as role, privilege_type as what
                from pg_class c, aclexplode(c.relacl) where c.oid = 'recourse.events_first'::regclass and grantee <> c.relowner loop
    execute format('grant %s on events to %s', each.what, each.role);
    execute format('revoke %s on events_first from %s', each.what, each.role);
  end loop;
  for each in select attname, grantee::regrole as role, privilege_type as what
                from pg_attribute a, aclexplode(a.attacl) where a.attrelid = 'recourse.events_first'::regclass loop
    execute format('grant %s (%I) on events to %s', each.what, each.attname, each.role);
    execute format('revoke %s (%I) on events_first from %s', each.what, each.attname, each.role);
  end loop;
  for each in select * from pg_policies where schemaname = 'recourse' and tablename = 'events_first' loop
    execute format('create policy %I on events as %s for %s to %s using (%s)%s', each.policyname, each.permissive, each.cmd,
      array_to_string(each.roles, ', '), each.qual, coalesce(' with check (' || each.with_check || ')', ''));
    execute format('drop policy %I on events_first', each.policyname);
  end loop;
end $$;
alter table events drop constraint events_bound;
alter table events_first drop constraint if exists events_bound;

alter table events add constraint events_pkey primary key (tenant_id, conversation_id, seq);
create unique index events_client_message on events (tenant_id, conversation_id, client_message_id)
  where client_message_id is not null;
alter table events add foreign key (tenant_id, conversation_id) references conversations (tenant_id, id);
create trigger only_from_a_visitor before update of customer_id on events
  for each row execute function only_from_a_visitor();

create table events_other (like events including constraints);
alter table events attach partition events_other default;

alter table events enable row level security;
alter table events force row level security;
alter table events_other enable row level security;
alter table events_other force row level security;

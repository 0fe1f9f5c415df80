-- phase: expand
-- While one is on, nothing goes out without a person: for one tenant, or (`*`) for all of the installation.
set local search_path = recourse;

create table kill_switches (
  tenant_id     text primary key,
  is_on         boolean not null,
  changed_by    text not null,
  changed_at_ms bigint not null,
  reason        text not null
);
alter table kill_switches enable row level security;
alter table kill_switches force row level security;
-- Every decision reads both rows in its own transaction, in the scope of whichever customer it is about.
create policy reading on kill_switches for select to recourse_app
  using (tenant_id in (current_setting('recourse.tenant', true), '*'));
create policy writing on kill_switches to recourse_app
  using (tenant_id = current_setting('recourse.tenant', true) and current_setting('recourse.customer', true) = '*')
  with check (tenant_id = current_setting('recourse.tenant', true) and current_setting('recourse.customer', true) = '*');
grant select, insert, update on kill_switches to recourse_app;
create trigger tell after insert or update on kill_switches for each row execute function tell_of_page('settings', 'tenant_id');

-- Who may see what is told to operators' open pages as soon as it changes: triggers, so that no writer (a page, the
-- terminal, the sign-in library) can forget it. It says whose access has changed, and nothing of what it is now.
set local search_path = recourse;

create function recourse.tell_of_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('recourse_changes', json_build_object(
    'tenant', old.tenant_id, 'kind', 'access', 'id', case tg_table_name when 'operator_keys' then 'key:' || old.name else old.id end)::text);
  return null;
end $$;
create function recourse.tell_of_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('recourse_changes', json_build_object('tenant', '*', 'kind', 'access', 'id', old.user_id)::text);
  return null;
end $$;

create trigger tell_of_access after update of role, state on operators for each row
  when (old.role is distinct from new.role or old.state is distinct from new.state)
  execute function tell_of_access();
create trigger tell_of_removal after delete on operators for each row execute function tell_of_access();
create trigger tell_of_access after update of state on operator_keys for each row
  when (old.state is distinct from new.state)
  execute function tell_of_access();
create trigger tell_of_end after delete on identity_sessions for each row execute function tell_of_session();

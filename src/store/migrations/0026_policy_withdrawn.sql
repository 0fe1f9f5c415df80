-- A version of the policy can be withdrawn before its day. One that anything was decided by stays for good, whoever asks:
-- decisions name it by its hash. Withdrawing is rare, so it looks through them all.
set local search_path = recourse;

create function recourse.only_what_decided_nothing() returns trigger language plpgsql as $$
begin
  if exists (select 1 from recourse.actions where tenant_id = old.tenant_id and decision->'verdict'->>'policyHash' = old.hash)
     or exists (select 1 from recourse.denials where tenant_id = old.tenant_id and decision->'verdict'->>'policyHash' = old.hash)
  then
    raise exception 'policy version % has decided something: it stays', old.version;
  end if;
  return old;
end $$;
create trigger only_what_decided_nothing before delete on policy_versions
  for each row execute function only_what_decided_nothing();
grant delete on policy_versions to recourse_app;

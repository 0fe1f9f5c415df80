-- Pages for settings, policies, documents and the team hear of changes as the queue does: triggers, so that no writer can
-- forget it. A change says which thing of which tenant, and nothing of what is in it.
set local search_path = recourse;

create function recourse.tell_of_page() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  perform pg_notify('recourse_changes', json_build_object(
    'tenant', changed->>'tenant_id', 'kind', tg_argv[0], 'id', coalesce(changed->>tg_argv[1], tg_argv[0]),
    'conversation_id', null)::text);
  return null;
end $$;

create trigger tell after insert or update on tenant_settings for each row execute function tell_of_page('settings', 'area');
create trigger tell after insert or delete on policy_versions for each row execute function tell_of_page('policies', 'version');
create trigger tell after insert or update or delete on knowledge_documents
  for each row execute function tell_of_page('knowledge', 'document_id');
create trigger tell after insert or update of role, state on operators for each row execute function tell_of_page('team', '');
create trigger tell after insert or update or delete on operator_invitations
  for each row execute function tell_of_page('team', '');
create trigger tell after insert or update of state on operator_keys for each row execute function tell_of_page('team', '');

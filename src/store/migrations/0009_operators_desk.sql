-- What operators' pages show is told to them as it changes: triggers, so that no writer can forget it. A change says
-- which thing of which tenant, and nothing of what is in it.
set local search_path = recourse;

create function recourse.tell_of_review() returns trigger language plpgsql as $$
begin
  perform pg_notify('recourse_changes', json_build_object(
    'tenant', new.tenant_id, 'kind', 'review', 'id', new.id, 'conversation_id', new.conversation_id)::text);
  return null;
end $$;
create function recourse.tell_of_conversation() returns trigger language plpgsql as $$
declare
  tenant text := case when tg_op = 'DELETE' then old.tenant_id else new.tenant_id end;
  conversation text := case when tg_op = 'DELETE' then old.conversation_id else new.conversation_id end;
begin
  perform pg_notify('recourse_changes', json_build_object(
    'tenant', tenant, 'kind', 'conversation', 'id', conversation, 'conversation_id', conversation)::text);
  return null;
end $$;
create function recourse.tell_of_canned_reply() returns trigger language plpgsql as $$
begin
  perform pg_notify('recourse_changes', json_build_object(
    'tenant', case when tg_op = 'DELETE' then old.tenant_id else new.tenant_id end, 'kind', 'canned_replies',
    'id', case when tg_op = 'DELETE' then old.id else new.id end, 'conversation_id', null)::text);
  return null;
end $$;

create trigger tell after insert or update on reviews for each row execute function tell_of_review();
create trigger tell after insert or update or delete on conversation_desk for each row execute function tell_of_conversation();
create trigger tell after insert or update or delete on conversation_tags for each row execute function tell_of_conversation();
create trigger tell after insert on conversation_notes for each row execute function tell_of_conversation();
create trigger tell after insert or update or delete on canned_replies for each row execute function tell_of_canned_reply();

-- A conversation's reviews, whatever became of them.
create index reviews_by_conversation on reviews (tenant_id, conversation_id);
drop index reviews_of_conversation;

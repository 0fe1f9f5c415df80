-- Conversations that can still end by themselves, longest silent first.
set local search_path = recourse;
create index conversations_silent on conversations (tenant_id, updated_at_ms) where status in ('open', 'with_agent');

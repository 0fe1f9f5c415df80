-- Who solved what a customer rates: the agent alone, or a person. Kept with the rating, for it is about that moment.
set local search_path = recourse;

alter table csat add column solved_by text not null default 'agent' check (solved_by in ('agent', 'person'));
-- Where it was given: in the chat, or by a link.
alter table csat add column given_by text not null default 'chat' check (given_by in ('chat', 'link'));
create index csat_by_time on csat (tenant_id, at_ms);

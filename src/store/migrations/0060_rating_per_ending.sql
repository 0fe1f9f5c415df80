-- A rating belongs to one ending: a conversation that goes on and ends again is rated again. `since_seq` is the event of
-- the ending before it; 0: there was none. The version before this one writes 0: its customers rate once, as they did.
-- phase: expand
set local search_path = recourse;

alter table csat add column since_seq integer not null default 0;
alter table csat drop constraint csat_pkey;
alter table csat add primary key (tenant_id, conversation_id, since_seq);

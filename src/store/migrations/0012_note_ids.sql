-- A note that is sent again is kept once: by the ID that its author's client chose. Older notes have none.
set local search_path = recourse;

alter table conversation_notes add column client_note_id text;
create unique index conversation_notes_once on conversation_notes (tenant_id, conversation_id, author, client_note_id);

-- The language of a conversation: what its customer is answered in, hours later too.
set local search_path = recourse;

alter table conversations
  -- ISO 639-1; the shop's own until the customer has shown theirs
  add column language       text not null default 'en' check (language in ('en', 'es', 'de', 'fr', 'pt', 'it')),
  -- true: by a message that was clearly in it
  add column language_shown boolean not null default false;

-- A visitor's transcript is two mails about the same end: first one that asks the mailbox, then the copy. That an answer
-- is one mail is held by its Message-ID, which is the primary key.
-- phase: expand
set local search_path = recourse;

alter table mail_outbox drop constraint mail_outbox_tenant_id_conversation_id_seq_to_key;
create index mail_outbox_by_time on mail_outbox (tenant_id, created_at_ms);
create index mail_outbox_of_conversation on mail_outbox (tenant_id, conversation_id, seq_to);

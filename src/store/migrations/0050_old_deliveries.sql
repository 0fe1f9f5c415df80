-- What only tells a repetition apart goes when no repetition can come any more: tokens of mail deliveries and IDs of webhooks.
-- The sweeper takes them away; it sees when they came and what they are called, and nothing else of them.
-- phase: expand
set local search_path = recourse;

create index mail_deliveries_by_time on mail_deliveries (at_ms);
create index webhook_deliveries_by_time on webhook_deliveries (at_ms);
grant select (tenant_id, token, at_ms), delete on mail_deliveries to recourse_sweeper;
grant select (source, delivery_id, at_ms), delete on webhook_deliveries to recourse_sweeper;
create policy forget on mail_deliveries to recourse_sweeper using (true);
create policy forget on webhook_deliveries to recourse_sweeper using (true);

-- Which conversations are settled: asked before a month of events is taken away.
grant select (tenant_id, id, status, updated_at_ms) on conversations to recourse_sweeper;
create policy sweep on conversations for select to recourse_sweeper using (true);

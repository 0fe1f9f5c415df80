-- First of three steps to keep events by the month in which their conversation began: what is there gets a bound that all
-- of it is below. Said at once and not looked through yet, so that nobody waits.
--
-- A conversation's ID begins with its time (`conv_` + UUIDv7), so that a range of IDs is a range of months, and the key
-- (tenant, conversation, seq) holds what it is parted by. The bound is the second month from now.
set local search_path = recourse;

-- The lowest ID that a conversation could have that begins at `at`.
create or replace function conversation_bound(at timestamptz) returns text language sql immutable
  as $$ select 'conv_' || overlay(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') placing '-' from 9 for 0) $$;

do $$ begin
  execute format('alter table events add constraint events_bound check (conversation_id < %L) not valid',
    conversation_bound((date_trunc('month', now() at time zone 'UTC') + interval '2 months') at time zone 'UTC'));
end $$;

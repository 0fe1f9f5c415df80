-- The people's side: reviews as a queue with claims, decisions that can be undone for a moment, and what operators
-- keep beside a conversation. Tables of operators alone are closed to a customer's scope by their policy.
set local search_path = recourse;

-- Reviews: one list, soonest due first.
alter table reviews drop constraint reviews_state_check;
alter table reviews
  -- waiting: a person has asked the customer something; it comes back with the answer
  add constraint reviews_state_check check (state in ('open', 'waiting', 'decided', 'expired', 'withdrawn')),
  -- 1 urgent … 4 low: see src/actions/reviews/priority.ts
  add column priority         integer not null default 3 check (priority between 1 and 4),
  -- when the merchant's answer is due, counted in opening hours: the order of the queue
  add column due_at_ms        bigint not null default 0,
  -- opening time that was left when it began to wait for the customer
  add column sla_left_ms      bigint,
  add column language         text,
  add column order_number     text,
  add column amount_minor     bigint,
  add column currency         text,
  -- who works on it; the claim is over at `claimed_until_ms`
  add column claimed_by       text,
  add column claimed_until_ms bigint,
  -- the first of two people, bound to version and hash
  add column first_approval   jsonb,
  -- the question to the customer, and the answer once it is there
  add column asked            jsonb,
  -- until then the decision can be undone and has had no effect
  add column effective_at_ms  bigint,
  -- what made each version: what somebody with an older one is told
  add column changes          jsonb not null default '[]';

-- The owner of the tables fills the new columns: forced row-level security would hide the rows from it.
alter table reviews no force row level security;
alter table actions no force row level security;
update reviews r set due_at_ms = r.created_at_ms, order_number = r.packet ->> 'order_number';
update reviews r set amount_minor = a.amount_minor, currency = a.currency
  from actions a where a.tenant_id = r.tenant_id and a.id = r.action_id and a.kind = 'refund';
alter table reviews force row level security;
alter table actions force row level security;

drop index reviews_one_open_per_action;
create unique index reviews_one_open_per_action on reviews (tenant_id, action_id)
  where action_id is not null and state in ('open', 'waiting');
drop index reviews_open;
create index reviews_queue on reviews (tenant_id, state, due_at_ms, id);
create index reviews_of_conversation on reviews (tenant_id, conversation_id) where state in ('open', 'waiting');
create index reviews_of_action on reviews (tenant_id, action_id) where action_id is not null;

-- Every decision, as it was sent: its ID is the client's, so that a repeated one is answered and not done again.
create table review_decisions (
  tenant_id       text not null references tenants,
  id              text not null,
  review_id       text not null,
  decision        text not null,
  operator        text not null,
  -- what the person saw
  version         integer not null,
  args_hash       text,
  note            text,
  amount_minor    bigint,
  request_hash    text not null,
  at_ms           bigint not null,
  -- until then it can be undone and has had no effect; null: it was done at once
  effective_at_ms bigint,
  undone_at_ms    bigint,
  undone_by       text,
  primary key (tenant_id, id),
  foreign key (tenant_id, review_id) references reviews (tenant_id, id)
);
create index review_decisions_of_review on review_decisions (tenant_id, review_id, at_ms);

-- Beside a conversation: who has it, tags, notes that no customer sees, and unfinished answers.
create table conversation_desk (
  tenant_id       text not null,
  conversation_id text not null,
  assignee        text,
  assigned_at_ms  bigint,
  primary key (tenant_id, conversation_id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id)
);
create index conversation_desk_of_assignee on conversation_desk (tenant_id, assignee) where assignee is not null;
create table conversation_tags (
  tenant_id       text not null,
  conversation_id text not null,
  tag             text not null,
  tagged_by       text not null,
  at_ms           bigint not null,
  primary key (tenant_id, conversation_id, tag),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id)
);
create index conversation_tags_by_tag on conversation_tags (tenant_id, tag, conversation_id);
create table conversation_notes (
  tenant_id       text not null,
  id              text not null,
  conversation_id text not null,
  author          text not null,
  text            text not null,
  at_ms           bigint not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id)
);
create index conversation_notes_of on conversation_notes (tenant_id, conversation_id, id);
create table drafts (
  tenant_id       text not null,
  conversation_id text not null,
  operator        text not null,
  text            text not null,
  version         integer not null,
  updated_at_ms   bigint not null,
  primary key (tenant_id, conversation_id, operator),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id)
);
create table canned_replies (
  tenant_id     text not null references tenants,
  id            text not null,
  shortcut      text not null,
  title         text not null,
  text          text not null,
  language      text,
  version       integer not null,
  updated_by    text not null,
  updated_at_ms bigint not null,
  primary key (tenant_id, id),
  unique (tenant_id, shortcut)
);

-- Operators' list of conversations: latest first.
create index conversations_recent on conversations (tenant_id, updated_at_ms desc, id desc);

grant select, insert on review_decisions, conversation_notes to recourse_app;
grant update (undone_at_ms, undone_by) on review_decisions to recourse_app;
grant select, insert, update, delete on conversation_desk, conversation_tags, drafts, canned_replies to recourse_app;

do $$
declare t text;
begin
  foreach t in array array['review_decisions', 'conversation_desk', 'conversation_tags', 'conversation_notes', 'drafts', 'canned_replies'] loop
    execute format('alter table recourse.%I enable row level security', t);
    execute format('alter table recourse.%I force row level security', t);
    execute format('create policy of_operators on recourse.%I to recourse_app using (tenant_id = current_setting(''recourse.tenant'', true) and current_setting(''recourse.customer'', true) = ''*'') with check (tenant_id = current_setting(''recourse.tenant'', true) and current_setting(''recourse.customer'', true) = ''*'')', t);
  end loop;
end $$;

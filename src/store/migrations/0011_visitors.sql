-- A visitor's conversation becomes the customer's who signs in. History stays history: the one thing of it that may
-- change is whose it is, once, from a visitor to somebody whom the merchant vouches for.
set local search_path = recourse;

create function only_from_a_visitor() returns trigger
  language plpgsql
  as $$ begin
    if new.customer_id is distinct from old.customer_id
       and (old.customer_id not like 'visitor\_%' or new.customer_id like 'visitor\_%') then
      raise exception 'only what a visitor wrote can become somebody''s' using errcode = 'check_violation';
    end if;
    return new;
  end $$;

do $$
declare t text;
begin
  foreach t in array array['conversations', 'events', 'runs', 'steps', 'reviews', 'csat'] loop
    execute format('create trigger only_from_a_visitor before update of customer_id on recourse.%I for each row execute function recourse.only_from_a_visitor()', t);
  end loop;
end $$;
grant update (customer_id) on events, steps, csat to recourse_app;

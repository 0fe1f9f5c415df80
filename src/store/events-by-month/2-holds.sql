-- Second of three: everything there is looked through. Others read and write meanwhile.
set local search_path = recourse;
alter table events validate constraint events_bound;

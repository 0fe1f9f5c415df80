-- Pictures that a visitor sent become the customer's who signs in, with the conversation that they are in.
set local search_path = recourse;
create trigger only_from_a_visitor before update of customer_id on attachments
  for each row execute function only_from_a_visitor();
grant update (customer_id) on attachments to recourse_app;

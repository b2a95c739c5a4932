-- in steps
-- A listing may have another seller than the one whom an open case concerns: a report about them is another
-- case.
create unique index concurrently cases_one_open_of_seller on cases (listing_id, member_id)
  where state <> 'closed' and subject = 'listing';
drop index concurrently if exists cases_one_open_of_listing;

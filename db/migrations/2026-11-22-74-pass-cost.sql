-- A pass writes offers alone. What it leaves to be written afterwards, the notices of its offers, is named
-- here until they are written, so that a worker that dies in between loses none and repeats none.

create table offer_notices_due (
  pass_id uuid primary key,
  offer_ids uuid[] not null
);

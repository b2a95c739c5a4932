-- The order by email with an index of its own, and searches that are too short for trigrams.

create index members_by_email on members (email, id) where erased_at is null;

-- Every letter of what a search looks through, alone and with the next one.
create function member_letters(email text, full_name text, role text) returns text[]
  immutable parallel safe language sql
  return (
    select array_agg(distinct substr(text, place, size))
    from (select member_text(email, full_name, role) as text) of_member
      cross join generate_series(1, length(text)) place cross join generate_series(1, 2) size
  );
create index members_letters on members using gin (member_letters(email, full_name, role))
  where erased_at is null;

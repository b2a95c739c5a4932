-- The suspensions of members who deleted their account: keyed hashes of who they were, and until when.
create table kept_suspensions (
  id uuid primary key,
  hashes bytea[] not null check (cardinality(hashes) > 0),
  -- The day (UTC) on which it is over; null when our staff have to lift it.
  until date,
  kept_until date not null,
  check (until is null or kept_until = until)
);
create index kept_suspensions_hashes on kept_suspensions using gin (hashes);
create index kept_suspensions_kept_until on kept_suspensions (kept_until);

-- The strikes and sanctions of members who deleted their account, while they count: keyed hashes of who they
-- were, and the day. Someone who left and joined again began without any.
create table kept_records (
  id uuid primary key,
  hashes bytea[] not null check (cardinality(hashes) > 0),
  kind text not null check (kind in ('strike', 'reminder', 'warning', 'suspension')),
  -- The day (UTC) on which they got it.
  at date not null,
  -- The day on which it no longer counts.
  kept_until date not null,
  check (kept_until > at)
);
create index kept_records_hashes on kept_records using gin (hashes);
create index kept_records_kept_until on kept_records (kept_until);

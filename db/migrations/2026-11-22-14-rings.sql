-- Rings: three or four members who review each other in a circle far more often than chance explains. A daily
-- search keeps them for staff; nothing else reads them. `members` is in the order of reviewing: each reviewed
-- the next, the last reviewed the first, and the smallest id is first.
create table rings (
  id uuid primary key,
  members uuid[] not null unique check (cardinality(members) in (3, 4)),
  reviews integer not null check (reviews >= cardinality(members)),
  by_chance double precision not null check (by_chance >= 0),
  first_found_at timestamptz not null default clock_timestamp(),
  last_found_at timestamptz not null default clock_timestamp()
);
create index rings_of on rings using gin (members);
create index rings_last_found on rings (last_found_at desc, id desc);

-- What each day's search counted in the whole club, beside what chance gives in a club of that size.
create table ring_searches (
  day date not null,
  length smallint not null check (length in (3, 4)),
  members integer not null check (members >= 0),
  reviews integer not null check (reviews >= 0),
  circles bigint not null check (circles >= 0),
  by_chance double precision not null check (by_chance >= 0),
  primary key (day, length)
);

-- How the parts of the club are and were, and what the club shows of itself.

-- One row per part and minute: what was asked of the part, and whether it answered. A minute without a row was not measured.
create table status_checks (
  part text not null check (part in ('website', 'database', 'jobs', 'mail', 'live', 'files')),
  at timestamptz not null check (extract(epoch from at) % 60 = 0),
  ok boolean not null,
  took_ms integer not null check (took_ms >= 0),
  note text check (length(note) <= 200),
  primary key (part, at)
);
create index status_checks_at on status_checks (at);
create index status_checks_failed on status_checks (part, at) where not ok;

-- The same by day, for longer than the minutes are kept.
create table status_days (
  part text not null check (part in ('website', 'database', 'jobs', 'mail', 'live', 'files')),
  day date not null,
  checks integer not null check (checks > 0),
  failed integer not null check (failed between 0 and checks),
  worst text not null check (worst in ('operational', 'degraded', 'down')),
  primary key (part, day),
  check ((failed = 0) = (worst = 'operational'))
);
create index status_days_day on status_days (day);

-- The club's open figures as they were last measured; one row.
create table site_figures (
  one boolean primary key default true check (one),
  figures jsonb not null,
  measured_at timestamptz not null default clock_timestamp()
);

-- The backups that were made of this club, and the drills in which one was restored and checked. A backup
-- does not hold its own row.
create table backups (
  id uuid primary key,
  -- The moment that it shows.
  snapshot_at timestamptz not null,
  finished_at timestamptz not null default clock_timestamp(),
  bytes bigint not null check (bytes > 0),
  rows bigint not null check (rows >= 0),
  files integer not null check (files >= 0),
  encrypted boolean not null
);
create index backups_latest on backups (snapshot_at desc);

create table restore_drills (
  id uuid primary key,
  finished_at timestamptz not null default clock_timestamp(),
  -- Of the backup that was restored; null when none could be read.
  snapshot_at timestamptz,
  -- Until the restored club could have served.
  seconds integer not null check (seconds >= 0),
  rows bigint not null check (rows >= 0),
  files integer not null check (files >= 0),
  -- Why it failed; null when all was well.
  fault text check (length(fault) <= 300),
  check (fault is not null or snapshot_at is not null)
);
create index restore_drills_latest on restore_drills (finished_at desc);

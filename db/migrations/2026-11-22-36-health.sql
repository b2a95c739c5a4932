-- What the staff area shows about the running product: its processes, the runs of the invariants, the files.

create table processes (
  id uuid primary key,
  kind text not null check (kind in ('web', 'worker')),
  version text not null,
  node text not null,
  host text not null,
  pid integer not null,
  -- Live streams that are open; null for a worker.
  streams integer check (streams >= 0),
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);

create table invariant_runs (
  id uuid primary key,
  requested_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  -- The broken invariants, each with its number of rows; empty when all hold.
  breaches jsonb not null default '[]',
  -- Why the run did not finish.
  error text check (length(error) <= 300)
);
create index invariant_runs_requested on invariant_runs (requested_at desc, id desc);

create table storage_figures (
  single boolean primary key default true check (single),
  files bigint not null check (files >= 0),
  bytes bigint not null check (bytes >= 0),
  measured_at timestamptz not null default clock_timestamp()
);

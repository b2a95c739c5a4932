-- Requests that were denied: whose, for what, and how often in one minute. A visitor is known by network.
create table security_events (
  id uuid primary key,
  kind text not null check (kind in ('foreign_row', 'foreign_origin', 'missing_right')),
  actor_id uuid references members,
  network text,
  object text not null check (length(object) <= 200),
  request_id uuid not null,
  minute timestamptz not null,
  count integer not null check (count > 0)
);
create unique index security_events_one_a_minute
  on security_events (coalesce(actor_id::text, network, ''), kind, minute);
create index security_events_minute on security_events (minute);
create index security_events_actor_id on security_events (actor_id);

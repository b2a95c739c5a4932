-- What any product of this kind needs: counters, repeated requests, events, outgoing mail, files.

create table rate_counters (
  key text primary key,
  hits integer not null,
  ends_at timestamptz not null
);
create index rate_counters_ends_at on rate_counters (ends_at);

-- The answer to a write that carried an Idempotency-Key, kept for 24 hours and written with its effect.
create table idempotency_keys (
  scope text not null,
  route text not null,
  key uuid not null,
  request_hash bytea not null,
  answer jsonb,
  created_at timestamptz not null default clock_timestamp(),
  primary key (scope, route, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- Every deed, written in its own transaction. hear: who may know at once. told_at: when the relay passed it on.
create table events (
  id uuid primary key,
  name text not null,
  ids jsonb not null default '{}',
  actor_id uuid,
  hear uuid[] not null default '{}',
  at timestamptz not null default clock_timestamp(),
  told_at timestamptz
);
create index events_untold on events (at, id) where told_at is null;
create index events_at on events (at);

create table mails (
  id uuid primary key,
  dedupe_key text not null unique,
  member_id uuid references members on delete cascade,
  to_address text not null check (to_address !~ '[[:space:][:cntrl:],;<>]'),
  template text not null,
  props jsonb not null default '{}',
  attempts integer not null default 0,
  error text,
  created_at timestamptz not null default clock_timestamp(),
  next_try_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  failed_at timestamptz,
  check (sent_at is null or failed_at is null)
);
create index mails_unsent on mails (next_try_at) where sent_at is null and failed_at is null;

-- The demo's mailbox: what would have been sent, for /dev/mail.
create table demo_mails (
  id uuid primary key,
  message_id text not null unique,
  to_address text not null,
  subject text not null,
  html text not null,
  text text not null,
  sent_at timestamptz not null default clock_timestamp()
);
create index demo_mails_sent on demo_mails (sent_at desc, id desc);

create table images (
  id uuid primary key,
  owner_id uuid not null references members on delete cascade,
  file_key text not null unique check (file_key ~ '^[0-9a-f]{32}$'),
  widths integer[] not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  bytes integer not null check (bytes > 0),
  created_at timestamptz not null default clock_timestamp()
);

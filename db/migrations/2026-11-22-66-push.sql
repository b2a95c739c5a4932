-- Push messages: the browsers that want them, and the messages on their way.

alter table notice_preferences add column by_push boolean not null default false;

-- A subscription belongs to a login session and ends with it.
create table push_devices (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  session_id uuid not null unique references sessions on delete cascade,
  endpoint text not null unique check (endpoint like 'http%' and length(endpoint) <= 1024),
  p256dh text not null check (length(p256dh) between 80 and 100),
  auth text not null check (length(auth) between 20 and 32),
  created_at timestamptz not null default clock_timestamp(),
  delivered_at timestamptz
);
create index push_devices_of on push_devices (member_id);
create trigger push_devices_member_lives before insert on push_devices
  for each row execute function refuse_erased_member('member_id');

create table push_messages (
  id uuid primary key,
  device_id uuid not null references push_devices on delete cascade,
  dedupe_key text not null,
  title text not null,
  body text not null,
  href text not null check (href like '/%'),
  urgent boolean not null,
  expires_at timestamptz not null,
  attempts int not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  unique (device_id, dedupe_key)
);
create index push_messages_due on push_messages (next_try_at);

-- What people are told, and what happened around them.

create table notices (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  dedupe_key text not null,
  title text not null,
  message text not null,
  priority text not null check (priority in ('high', 'medium', 'low')),
  action_label text,
  action_href text check (action_href like '/%'),
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  unique (member_id, dedupe_key),
  check ((action_label is null) = (action_href is null))
);
create index notices_of on notices (member_id, created_at desc, id desc);
create index notices_unread on notices (member_id) where read_at is null;

create table activity_items (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  dedupe_key text not null,
  type text not null check (type in ('reviews', 'matching', 'billing')),
  title text not null,
  description text not null,
  status text not null check (status in ('success', 'error', 'pending', 'info')),
  href text check (href like '/%'),
  created_at timestamptz not null default clock_timestamp(),
  unique (member_id, dedupe_key)
);
create index activity_items_of on activity_items (member_id, created_at desc, id desc);
create index activity_items_of_type on activity_items (member_id, type, created_at desc, id desc);

-- Messages to our staff.

create table support_messages (
  id uuid primary key,
  member_id uuid references members on delete set null,
  name text not null,
  email text not null,
  category text not null check (category in ('account', 'exchange', 'product', 'billing', 'other')),
  subject text not null check (length(subject) between 1 and 140),
  message text not null check (length(message) between 1 and 5000),
  status text not null default 'open' check (status in ('open', 'resolved')),
  created_at timestamptz not null default clock_timestamp(),
  resolved_at timestamptz,
  check ((status = 'resolved') = (resolved_at is not null))
);
create index support_messages_created on support_messages (created_at desc, id desc);

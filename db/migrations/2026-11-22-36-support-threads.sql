-- Threads: the answers of our staff to a message, what its writer adds, and notes among the staff.

alter table support_messages
  -- Where it was written, which says where an answer goes: to the account, or to the address that was given.
  add column via text not null default 'contact' check (via in ('account', 'contact')),
  add column assigned_to uuid references members on delete set null,
  -- Grows with every answer, assignment and change of status. Who acts names the version they saw.
  add column version integer not null default 1 check (version > 0),
  add constraint support_messages_account check (via = 'contact' or member_id is not null);

update support_messages m set via = 'account'
  where exists (select from members p where p.id = m.member_id and lower(p.email) = lower(m.email));

create index support_messages_open on support_messages (created_at desc, id desc) where status = 'open';
create index support_messages_of_member on support_messages (member_id, created_at desc, id desc);
create index support_messages_of_address on support_messages (lower(email), created_at desc, id desc);

create table support_entries (
  id uuid primary key,
  message_id uuid not null references support_messages on delete cascade,
  kind text not null check (kind in ('answer', 'reply', 'note')),
  -- A member of staff, or for a reply the member who wrote the message.
  author_id uuid not null references members,
  body text not null check (length(body) between 1 and 5000),
  created_at timestamptz not null default clock_timestamp()
);
create index support_entries_of_message on support_entries (message_id, created_at, id);
create index support_entries_of_author on support_entries (author_id);

create table saved_replies (
  id uuid primary key,
  title text not null check (length(title) between 1 and 80),
  body text not null check (length(body) between 1 and 5000),
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
create unique index saved_replies_title on saved_replies (lower(title));

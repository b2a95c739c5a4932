-- What our staff note about a member for each other. Notes are added, never changed; they go with the account.
create table member_notes (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  author_id uuid not null references members,
  text text not null check (length(text) between 1 and 2000),
  created_at timestamptz not null default clock_timestamp()
);
create index member_notes_of on member_notes (member_id, created_at desc, id desc);
create index member_notes_by on member_notes (author_id);
create trigger member_notes_member_lives before insert on member_notes
  for each row execute function refuse_erased_member('member_id');

-- Hashes that came with a debt which only a listing matched: they may identify another person.
create table carried_hashes (
  member_id uuid not null references members on delete cascade,
  hash bytea not null check (length(hash) = 32),
  primary key (member_id, hash)
);
create index carried_hashes_by_hash on carried_hashes (hash);
create trigger carried_hashes_member_lives before insert on carried_hashes
  for each row execute function refuse_erased_member('member_id');

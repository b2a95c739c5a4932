-- A debt outlives an account. A member who leaves after receiving more reviews than they gave goes on from there
-- when they join again with the same address, sign-in account or listing.

-- Keyed hashes of every address, sign-in account and listing that a member has had.
create table identity_hashes (
  member_id uuid not null references members on delete cascade,
  hash bytea not null check (length(hash) = 32),
  primary key (member_id, hash)
);
create trigger identity_hashes_member_lives before insert on identity_hashes
  for each row execute function refuse_erased_member('member_id');

-- What is left of a member who left with a debt: those hashes and the number, and no name, account or time.
create table debts (
  id uuid primary key,
  hashes bytea[] not null check (cardinality(hashes) > 0),
  owed smallint not null check (owed > 0),
  kept_until date not null
);
create index debts_hashes on debts using gin (hashes);
create index debts_kept_until on debts (kept_until);

-- `settled`: the balance of a member who left goes to the club, which is no member. `carried`: a debt comes back from it.
alter table ledger_entries
  drop constraint ledger_entries_reason_check,
  add constraint ledger_entries_reason_check check (reason in ('gave', 'received', 'settled', 'carried')),
  add constraint ledger_entries_of_review check ((reason in ('gave', 'received')) = (review_id is not null)),
  add constraint ledger_entries_moves check (delta <> 0);

with left_over as (
  select s.member_id, s.balance from reviewer_states s join members m on m.id = s.member_id
  where m.erased_at is not null and s.balance <> 0
)
insert into ledger_entries (id, member_id, reason, delta)
select gen_random_uuid(), member_id, 'settled', -balance from left_over
union all select gen_random_uuid(), null, 'settled', balance from left_over;
update reviewer_states s set balance = 0 from members m where m.id = s.member_id and m.erased_at is not null;

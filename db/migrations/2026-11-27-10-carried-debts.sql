-- A debt that only a listing brought to a member stays whole while they owe it, so that it can go on to the
-- person whom it identifies. It takes the place of carried_hashes, which the version before still writes.
create table carried_debts (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  listing_id uuid not null references listings,
  hashes bytea[] not null check (cardinality(hashes) > 0),
  listing_hashes bytea[] not null,
  owed smallint not null check (owed > 0),
  kept_until date not null
);
create index carried_debts_of on carried_debts (member_id);
create index carried_debts_on on carried_debts (listing_id);
create index carried_debts_hashes on carried_debts using gin (hashes);
create index carried_debts_kept_until on carried_debts (kept_until);
create trigger carried_debts_member_lives before insert on carried_debts
  for each row execute function refuse_erased_member('member_id');

-- A listing may have another seller now: its hash says less than that of an address or a sign-in account.
alter table debts add column listing_hashes bytea[] not null default '{}';
alter table identity_hashes add column of_listing boolean not null default false;

-- The ledger as its member reads it, the public receipts, the review cards, and the club's medians.

-- The public keys that the club has ever signed with. The private key comes from the server's secret.
create table signing_keys (
  id text primary key,
  public_key bytea not null check (length(public_key) = 32),
  first_used_at timestamptz not null default clock_timestamp()
);

-- The address of a review's public receipt: random, so that it leads to nothing else.
alter table reviews add column receipt_key text not null unique
  default translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=', '-_');

-- One switch for all cards of a product. The key stays, so that a page that embeds them works again.
create table review_cards (
  product_id uuid primary key references products,
  key text not null unique default translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=', '-_'),
  shown boolean not null,
  changed_at timestamptz not null default clock_timestamp()
);

drop index ledger_entries_of;
create index ledger_entries_of on ledger_entries (member_id, at, id) include (delta);

-- What is in progress stays quick to list, however much is finished.
create index reviews_open_of_reviewer on reviews (reviewer_id, accepted_at desc, id desc)
  where status not in ('verified', 'lapsed');
create index reviews_open_of_seller on reviews (seller_id, accepted_at desc, id desc)
  where status not in ('verified', 'lapsed');
create index reviews_standing_of_listing on reviews (listing_id, verified_at desc, id desc)
  where status = 'verified' and removed_at is null;

-- The medians over members, by week and by month, as last measured. None of them is about one member.
create table club_medians (
  one boolean primary key default true check (one),
  medians jsonb not null,
  measured_at timestamptz not null default clock_timestamp()
);

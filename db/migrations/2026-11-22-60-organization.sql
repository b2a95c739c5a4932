-- What members declare about their organization: their shops on the marketplaces, the people of their household or
-- team, conflicts of interest and competitors. Each binds the rotation from the moment it is written.
create table shops (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  marketplace_id uuid not null references marketplaces,
  name text not null check (length(name) between 1 and 80),
  -- Host and path in lower case, without a slash at the end. It is compared and never fetched.
  address text not null check (length(address) between 1 and 300),
  created_at timestamptz not null default clock_timestamp(),
  unique (member_id, marketplace_id)
);
create index shops_of_address on shops (address);
create index shops_of_marketplace on shops (marketplace_id);

create table declarations (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  kind text not null check (kind in ('household', 'conflict', 'competitor', 'former_shop')),
  -- Whom it names: a member, the address of a shop, or a listing of a marketplace.
  about_member_id uuid references members on delete cascade,
  address text check (length(address) between 1 and 300),
  marketplace_id uuid references marketplaces,
  listing text check (length(listing) between 1 and 200),
  -- The username or the address, as the member finds it on their page.
  named_as text not null check (length(named_as) between 1 and 300),
  created_at timestamptz not null default clock_timestamp(),
  -- After it was removed: until when it still binds.
  ends_at timestamptz,
  answer text check (answer in ('confirmed', 'denied')),
  answered_at timestamptz,
  unique (member_id, about_member_id),
  unique (member_id, address),
  unique (member_id, marketplace_id, listing),
  check (num_nonnulls(about_member_id, address, listing) = 1),
  check ((listing is null) = (marketplace_id is null)),
  check (about_member_id <> member_id),
  check (kind <> 'household' or about_member_id is not null),
  check (kind <> 'former_shop' or (address is not null and ends_at is not null)),
  check ((answer is null) = (answered_at is null) and (answer is null or kind = 'household'))
);
create index declarations_about on declarations (about_member_id) where about_member_id is not null;
create index declarations_of_address on declarations (address) where address is not null;
create index declarations_of_listing on declarations (marketplace_id, listing) where listing is not null;
create index declarations_ends on declarations (ends_at) where ends_at is not null;

create trigger shops_member_lives before insert on shops
  for each row execute function refuse_erased_member('member_id');
create trigger declarations_member_lives before insert on declarations
  for each row execute function refuse_erased_member('member_id');
create trigger declarations_about_lives before insert on declarations
  for each row execute function refuse_erased_member('about_member_id');

-- The pairs that a declaration binds now, each from the side that declared it: the one definition for the draw,
-- the acceptance, the counting and the invariants. It excludes in both directions.
-- The clock is that of the statement: with a volatile one PostgreSQL would work out every pair to find one.
create view declared_pairs as
select d.member_id as one, d.about_member_id as other from declarations d
  where d.about_member_id is not null and (d.ends_at is null or d.ends_at > statement_timestamp())
union all
select d.member_id, s.member_id from declarations d join shops s on s.address = d.address
  where s.member_id <> d.member_id and (d.ends_at is null or d.ends_at > statement_timestamp())
union all
select d.member_id, p.seller_id from declarations d
  join listings l on l.marketplace_id = d.marketplace_id and l.external_id = d.listing
  join products p on p.listing_id = l.id
  where p.seller_id <> d.member_id and (d.ends_at is null or d.ends_at > statement_timestamp())
union all
select a.member_id, b.member_id from shops a join shops b on b.address = a.address
  where b.member_id <> a.member_id;

-- Whether an offer was withdrawn because one of its two sides declared something. The product is not offered to
-- the same member for a while then, whomever the declaration names, so that its return shows nothing.
alter table offers add column by_declaration boolean not null default false
  check (not by_declaration or state = 'withdrawn');

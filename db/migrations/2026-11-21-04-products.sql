-- Marketplaces the operator has listed, and what members sell there. Nothing else can be connected.

create table marketplaces (
  id uuid primary key,
  name text not null unique,
  host text not null unique check (host ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'),
  image_hosts text[] not null default '{}',
  lane text not null check (lane in ('public', 'private', 'closed')),
  policy_url text not null check (policy_url like 'https://%'),
  policy_sentence text not null,
  policy_version integer not null default 1,
  read_by text not null,
  read_on date not null,
  next_check_on date not null,
  coupon_prices integer[] not null default '{0,50}',
  verified_purchase_word text not null,
  disclosure text not null check (length(disclosure) between 20 and 400),
  created_at timestamptz not null default clock_timestamp()
);

create table marketplace_consents (
  member_id uuid not null references members on delete cascade,
  marketplace_id uuid not null references marketplaces,
  policy_version integer not null,
  consented_at timestamptz not null default clock_timestamp(),
  primary key (member_id, marketplace_id, policy_version)
);

create table products (
  id uuid primary key,
  seller_id uuid not null references members,
  marketplace_id uuid not null references marketplaces,
  title text not null check (length(title) between 1 and 140),
  category text not null check (category in ('template', 'tool', 'design', 'guide', 'course', 'audio', 'video', 'other')),
  coupon_link text not null check (coupon_link like 'https://%' and length(coupon_link) <= 2048),
  coupon_link_norm text not null,
  price_cents integer check (price_cents >= 0),
  description text check (length(description) <= 5000),
  tags text[] not null default '{}' check (cardinality(tags) <= 10),
  image_id uuid references images,
  archived_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (id, seller_id)
);
create unique index products_one_link on products (seller_id, coupon_link_norm) where deleted_at is null;
create index products_of_seller on products (seller_id, created_at desc, id desc) where deleted_at is null;

-- A review: the obligation that begins with acceptance, its proof, its versions, and the ledger it moves.

create table reviews (
  id uuid primary key,
  queue_id uuid not null unique,
  product_id uuid not null,
  reviewer_id uuid not null references members,
  seller_id uuid not null references members,
  marketplace_id uuid not null references marketplaces,
  status text not null check (status in ('pending', 'purchased', 'reviewed', 'returned', 'verified', 'lapsed')),
  accepted_at timestamptz not null,
  purchase_due_at timestamptz not null,
  due_at timestamptz not null,
  coupon_opened_at timestamptz,
  coupon_opens integer not null default 0 check (coupon_opens >= 0),
  coupon_price_cents integer,
  purchased_at timestamptz,
  usable_from timestamptz,
  submitted_at timestamptz,
  confirm_due_at timestamptz,
  returned_at timestamptz,
  return_reason text check (return_reason in ('not_visible', 'disclosure_missing', 'other_product')),
  return_explanation text check (length(return_explanation) <= 500),
  return_due_at timestamptz,
  returns smallint not null default 0 check (returns between 0 and 1),
  verified_at timestamptz,
  verified_by text check (verified_by in ('seller', 'time', 'staff')),
  lapsed_at timestamptz,
  rating smallint check (rating between 1 and 5),
  body text check (length(body) <= 9000),
  used_for text check (length(used_for) <= 500),
  not_for text check (length(not_for) <= 500),
  ai_assisted boolean not null default false,
  disclosure text not null,
  posted_link text check (posted_link like 'https://%' and length(posted_link) <= 2048),
  draft jsonb,
  draft_saved_at timestamptz,
  unique (id, reviewer_id),
  foreign key (queue_id, product_id) references review_queue (id, product_id),
  check (reviewer_id <> seller_id),
  check (due_at > accepted_at and purchase_due_at > accepted_at),
  constraint reviews_pending check (status <> 'pending' or (purchased_at is null and submitted_at is null)),
  constraint reviews_purchased check (status <> 'purchased' or (purchased_at is not null and submitted_at is null)),
  constraint reviews_reviewed check (
    status not in ('reviewed', 'returned', 'verified')
    or (purchased_at is not null and submitted_at is not null and rating is not null and body is not null
        and used_for is not null and not_for is not null)
  ),
  constraint reviews_confirm check ((status = 'reviewed') = (confirm_due_at is not null)),
  constraint reviews_returned check ((status = 'returned') = (return_due_at is not null)),
  constraint reviews_verified check ((status = 'verified') = (verified_at is not null)
    and (verified_at is null) = (verified_by is null)),
  constraint reviews_lapsed check ((status = 'lapsed') = (lapsed_at is not null))
);
create unique index reviews_once on reviews (reviewer_id, product_id) where status <> 'lapsed';
create index reviews_of_reviewer on reviews (reviewer_id, accepted_at desc, id desc);
create index reviews_of_seller on reviews (seller_id, accepted_at desc, id desc);
create index reviews_of_product on reviews (product_id) where status = 'verified';
create index reviews_due on reviews (due_at) where status in ('pending', 'purchased');
create index reviews_confirm_due on reviews (confirm_due_at) where status = 'reviewed';
create index reviews_return_due on reviews (return_due_at) where status = 'returned';
create index reviews_body on reviews using gin (body gin_trgm_ops);

-- Every text that was handed in, as it was handed in.
create table review_versions (
  review_id uuid not null references reviews,
  version integer not null check (version > 0),
  rating smallint not null,
  body text not null,
  used_for text not null,
  not_for text not null,
  ai_assisted boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (review_id, version)
);

create table proofs (
  id uuid primary key,
  review_id uuid not null,
  uploader_id uuid not null,
  kind text not null check (kind in ('order', 'file')),
  order_id text check (order_id ~ '^[0-9]{6,20}$'),
  file_key text unique check (file_key ~ '^[0-9a-f]{32}$'),
  mime text check (mime in ('image/jpeg', 'image/png', 'application/pdf')),
  bytes integer check (bytes > 0 and bytes < 2097152),
  sha256 bytea check (length(sha256) = 32),
  original_name text check (length(original_name) <= 100),
  state text not null default 'stored' check (state in ('stored', 'replaced', 'deleted')),
  created_at timestamptz not null default clock_timestamp(),
  foreign key (review_id, uploader_id) references reviews (id, reviewer_id),
  check (kind <> 'order' or (file_key is null and (order_id is not null or state <> 'stored'))),
  check (kind <> 'file' or (order_id is null and mime is not null and bytes is not null and sha256 is not null
    and (file_key is not null or state <> 'stored')))
);
create unique index proofs_one_current on proofs (review_id) where state = 'stored';
create unique index proofs_order_once on proofs (order_id) where order_id is not null;
create unique index proofs_file_once on proofs (sha256) where sha256 is not null and state = 'stored';
create index proofs_of_uploader on proofs (uploader_id, created_at);

-- Two rows for each verified review: +1 to the giver, -1 from the receiver. member_id null is the house.
create table ledger_entries (
  id uuid primary key,
  review_id uuid references reviews,
  member_id uuid references members,
  reason text not null check (reason in ('gave', 'received', 'settled')),
  delta smallint not null,
  at timestamptz not null default clock_timestamp(),
  unique (review_id, member_id, reason),
  check (reason <> 'gave' or (delta = 1 and review_id is not null and member_id is not null)),
  check (reason <> 'received' or (delta = -1 and review_id is not null and member_id is not null))
);
create unique index ledger_entries_once on ledger_entries (review_id, reason) where review_id is not null;
create index ledger_entries_of on ledger_entries (member_id, at);

create table strikes (
  id uuid primary key,
  member_id uuid not null references members,
  review_id uuid not null unique references reviews,
  created_at timestamptz not null default clock_timestamp()
);
create index strikes_of on strikes (member_id, created_at);

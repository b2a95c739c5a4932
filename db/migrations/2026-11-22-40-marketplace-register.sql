-- The register of the marketplaces: every change keeps the former entry, and a closing is a row of its own.

alter table marketplaces
  -- Counts the changes of the entry. The policy's version counts only those that members read and agree to.
  add column version integer not null default 1 check (version > 0),
  -- The disclosure in further languages, by their code (ISO 639-1); `disclosure` is the English one.
  add column disclosures jsonb not null default '{}' check (jsonb_typeof(disclosures) = 'object');

-- An entry as it was until it was changed. Who changed it, and why, is in staff_actions.
create table marketplace_versions (
  marketplace_id uuid not null references marketplaces,
  version integer not null check (version > 0),
  policy_version integer not null,
  lane text not null check (lane in ('public', 'private', 'closed')),
  entry jsonb not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (marketplace_id, version)
);

create table marketplace_closures (
  id uuid primary key,
  marketplace_id uuid not null references marketplaces,
  lane_before text not null check (lane_before in ('public', 'private')),
  -- What becomes of the reviews in progress: they finish as private feedback, or they end without fault.
  reviews text not null check (reviews in ('finish', 'end')),
  -- Members read it.
  reason text not null check (length(reason) between 10 and 500),
  closed_at timestamptz not null default clock_timestamp(),
  reopened_at timestamptz check (reopened_at >= closed_at)
);
create unique index marketplace_closures_open on marketplace_closures (marketplace_id) where reopened_at is null;
create index marketplace_closures_of on marketplace_closures (marketplace_id, closed_at desc);

-- The closing that ended a review without fault.
alter table reviews add column closure_id uuid references marketplace_closures,
  add constraint reviews_ended_by_closure check (closure_id is null or status = 'lapsed');
create index reviews_in_progress on reviews (marketplace_id, id) where status in ('pending', 'purchased', 'returned');
create index products_of_marketplace on products (marketplace_id, seller_id) where deleted_at is null;

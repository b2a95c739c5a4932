-- What automatic checks noticed, for our staff. Nothing follows from a row here: a person looks at it and
-- dismisses it or opens a case, with a reason. Nothing here holds a rating.

-- A submitted text that is close to another review, or to the listing's own text. Kept by the reviews.
create table similar_texts (
  id uuid primary key,
  review_id uuid not null,
  version integer not null,
  -- Null: the text of the listing, as it was offered.
  similar_to uuid references reviews,
  -- The share of trigrams that both have.
  share real not null check (share between 0 and 1),
  found_at timestamptz not null default clock_timestamp(),
  foreign key (review_id, version) references review_versions on delete cascade,
  check (similar_to <> review_id),
  unique nulls not distinct (review_id, version, similar_to)
);
create index similar_texts_to on similar_texts (similar_to) where similar_to is not null;

create table flags (
  id uuid primary key,
  kind text not null check (kind in ('similar_text', 'quick_use', 'similar_proof', 'ring', 'listing_claim',
    'broken_listing')),
  -- What was noticed, so that the same thing is flagged once.
  key text not null,
  review_id uuid references reviews,
  other_review_id uuid references reviews,
  listing_id uuid references listings,
  ring_id uuid references rings on delete cascade,
  -- Who connected a listing that another member sells.
  member_id uuid references members,
  -- The values that were compared, and the limit.
  facts jsonb not null,
  found_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  closed_by uuid references members,
  closed_as text check (closed_as in ('dismissed', 'case')),
  reason text check (length(reason) between 1 and 1000),
  case_id uuid references cases,
  unique (kind, key),
  check (num_nonnulls(review_id, listing_id, ring_id) = 1),
  check ((closed_at is null) = (closed_by is null) and (closed_at is null) = (closed_as is null)),
  check ((closed_at is null) = (reason is null)),
  check ((closed_as = 'case') = (case_id is not null))
);
create index flags_open on flags (found_at desc, id desc) where closed_at is null;
create index flags_closed on flags (closed_at desc, id desc) where closed_at is not null;
create index flags_of_review on flags (review_id) where review_id is not null;
create index flags_of_other_review on flags (other_review_id) where other_review_id is not null;
create index flags_of_listing on flags (listing_id) where listing_id is not null;
create index flags_of_ring on flags (ring_id) where ring_id is not null;
create index flags_of_member on flags (member_id) where member_id is not null;
create index flags_of_case on flags (case_id) where case_id is not null;
create index flags_by on flags (closed_by) where closed_by is not null;

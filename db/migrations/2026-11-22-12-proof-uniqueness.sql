-- One order number and one picture prove one review for ever, whatever becomes of the proof.

-- How the marketplace writes order numbers. The group is the normal form in which they are compared.
alter table marketplaces add column order_pattern text not null default '^0*([1-9][0-9]{0,19})$'
  check (order_pattern ~ '^\^.*\([^?].*\).*\$$');

-- Keyed hashes of the normal forms. They stay when a proof is replaced and when its member leaves.
create table used_order_numbers (
  marketplace_id uuid not null references marketplaces,
  hash bytea not null check (length(hash) = 32),
  review_id uuid not null references reviews,
  used_at timestamptz not null default clock_timestamp(),
  primary key (marketplace_id, hash)
);
create index used_order_numbers_of on used_order_numbers (review_id);
drop index proofs_order_once;

-- What a picture looks like, too coarse to read anything in it. The number of ones narrows the search.
alter table proofs
  add column picture_tones bytea check (length(picture_tones) = 4096),
  add column picture_bits bit(992),
  add column picture_ones integer generated always as (bit_count(picture_bits)) stored,
  add check ((picture_tones is null) = (picture_bits is null));
create index proofs_like on proofs (picture_ones) where picture_ones is not null;
create index proofs_file on proofs (sha256) where sha256 is not null;

-- Proofs that look almost like an earlier one of another review, for our staff to compare.
create table similar_proofs (
  proof_id uuid not null references proofs,
  similar_to uuid not null references proofs,
  bits_apart smallint not null check (bits_apart >= 0),
  found_at timestamptz not null default clock_timestamp(),
  primary key (proof_id, similar_to),
  check (proof_id <> similar_to)
);
create index similar_proofs_found on similar_proofs (found_at desc);
create index similar_proofs_to on similar_proofs (similar_to);

-- A public randomness beacon may be mixed into the lottery of a request.

-- The chains that were ever used, with what a check of their rounds needs.
create table beacon_chains (
  hash bytea primary key check (length(hash) = 32),
  public_key bytea not null check (length(public_key) = 96),
  period int not null check (period > 0),
  genesis bigint not null check (genesis >= 0),
  seed bytea not null check (length(seed) = 32),
  name text not null
);

-- beacon_from: when the ticket was used first, from which the round follows. beacon_signature: the value of the
-- round. Without one the request is drawn a minute later, and no value is taken from then on.
alter table review_queue
  add column beacon_chain bytea,
  add column beacon_from timestamptz,
  add column beacon_round bigint,
  add column beacon_signature bytea;
alter table review_queue
  add constraint review_queue_beacon check (
    num_nonnulls(beacon_chain, beacon_from, beacon_round) in (0, 3)
    and (beacon_signature is null or (beacon_round is not null and length(beacon_signature) = 48))
  ) not valid,
  add constraint review_queue_beacon_chain_fkey foreign key (beacon_chain) references beacon_chains not valid;

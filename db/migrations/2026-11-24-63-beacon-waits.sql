-- in steps
-- The requests whose value is awaited: they are few, and those that were drawn without one stay behind.
create index concurrently review_queue_awaits_beacon on review_queue (beacon_from)
  where beacon_round is not null and beacon_signature is null;
alter table review_queue validate constraint review_queue_beacon;
alter table review_queue validate constraint review_queue_beacon_chain_fkey;

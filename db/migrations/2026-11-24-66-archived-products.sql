-- in steps
-- A seller's archived products are a list of their own, since there may be any number; those in the rotation
-- are ten at the most.
create index concurrently products_archived on products (seller_id, archived_at desc, id desc)
  where deleted_at is null and archived_at is not null;
create index concurrently products_in_rotation on products (seller_id)
  where deleted_at is null and archived_at is null;

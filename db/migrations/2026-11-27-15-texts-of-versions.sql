-- in steps
-- Near-duplicates are found by passages, and our staff's search reads the texts as they were handed in. Those
-- never change, while each step of a review wrote its text into the index again; and each few hundred times
-- one writer waited while what had come was put in order.
create index concurrently review_versions_body on review_versions using gin (body gin_trgm_ops)
  with (fastupdate = off);
-- The processes of the version before search without an index from here on, until they end.
drop index concurrently if exists reviews_body;

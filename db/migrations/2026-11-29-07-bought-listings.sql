-- in steps
-- Who keeps whom from a listing, for the look of the draw at history: reviews that did not lapse, and those
-- that lapsed after their purchase was proved.
create index concurrently reviews_barring on reviews (reviewer_id, listing_id)
  where status <> 'lapsed' or purchased_at is not null;

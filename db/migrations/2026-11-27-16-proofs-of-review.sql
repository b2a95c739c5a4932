-- in steps
-- A new order number is compared with those that our staff refused for the review, and their page lists all
-- proofs of it: both read the whole table.
create index concurrently proofs_of_review on proofs (review_id);

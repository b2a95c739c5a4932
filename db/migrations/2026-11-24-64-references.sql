-- in steps
-- A row that others refer to is deleted only after each referring table was searched. These were read from
-- end to end: for a sign-up that was never confirmed, a picture that no product shows, and a member's archives.
create index concurrently offers_of_seller on offers (seller_id);
create index concurrently review_queue_of_reviewer on review_queue (reviewer_id) where reviewer_id is not null;
create index concurrently review_queue_offered on review_queue (offered_to) where offered_to is not null;
create index concurrently products_of_image on products (image_id) where image_id is not null;
create index concurrently images_of_owner on images (owner_id);
create index concurrently checkouts_of_member on checkouts (member_id);
create index concurrently data_exports_of_member on data_exports (member_id);
create index concurrently login_methods_of_member on login_methods (member_id);
create index concurrently unwanted_offers_of_member on unwanted_offers (member_id);
create index concurrently support_messages_assigned on support_messages (assigned_to)
  where assigned_to is not null;
create index concurrently appeals_assigned on appeals (assigned_to) where assigned_to is not null;
create index concurrently appeals_decided_by on appeals (decided_by) where decided_by is not null;
create index concurrently similar_texts_of_version on similar_texts (review_id, version);

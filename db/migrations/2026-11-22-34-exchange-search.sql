-- Our staff list all exchanges by age, those of one seller, and find them by words of a product or its link.
create index review_queue_created on review_queue (created_at desc, id desc);
create index review_queue_of_seller on review_queue (seller_id, created_at desc, id desc);
create index products_words on products using gin (lower(title) gin_trgm_ops, lower(coupon_link) gin_trgm_ops);
create index mails_of on mails (member_id, created_at desc, id desc);

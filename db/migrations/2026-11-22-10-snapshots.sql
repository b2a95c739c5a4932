-- An offer keeps the product as it was offered. The reviewer and the record show that, whatever the seller changes later.
create function product_snapshot(p products) returns jsonb language sql stable as $$
  select jsonb_build_object('title', p.title, 'category', p.category, 'description', p.description, 'tags', p.tags,
    'price_cents', p.price_cents, 'coupon_link', p.coupon_link, 'image_id', p.image_id)
$$;

alter table offers add column snapshot jsonb;
update offers o set snapshot = product_snapshot(p) from review_queue q join products p on p.id = q.product_id where q.id = o.queue_id;
alter table offers alter column snapshot set not null;

-- Pictures that a record shows are kept.
create index offers_of_image on offers ((snapshot ->> 'image_id')) where state in ('open', 'accepted');

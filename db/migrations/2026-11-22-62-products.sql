-- What sellers arrange and state about their products, what other members see of them, and what members never want offered.

alter table products
  -- The seller's own order. Products without a place of their own come first, the newest of them at the top.
  add column place integer not null default 0,
  -- The price with the coupon, one of the marketplace's coupon prices.
  add column coupon_cents integer check (coupon_cents >= 0),
  -- The beginning of the description without its markup, for cards.
  add column summary text check (length(summary) <= 200),
  -- The id that other members see. It is random, so it says nothing about when the product was added.
  add column public_id uuid not null default gen_random_uuid(),
  -- Completed exchanges of the listing in the last seven days, counted by a job.
  add column exchanges_in_week smallint not null default 0 check (exchanges_in_week >= 0);

-- The point of a picture that stays visible when it is cropped, in percent from the left and from the top.
alter table images
  add column focus_x smallint not null default 50 check (focus_x between 0 and 100),
  add column focus_y smallint not null default 50 check (focus_y between 0 and 100);

create or replace function product_snapshot(p products) returns jsonb language sql stable as $$
  select jsonb_build_object('title', p.title, 'category', p.category, 'format', p.format, 'description', p.description,
    'tags', p.tags, 'price_cents', p.price_cents, 'coupon_cents', p.coupon_cents, 'coupon_link', p.coupon_link,
    'image_id', p.image_id)
$$;

-- What a search of the club's products looks through, and their tags in lower case.
create function product_text(title text, tags text[]) returns text
  immutable parallel safe language sql
  return lower(title || E'\n' || coalesce((select string_agg(tag, E'\n') from unnest(tags) tag), ''));
create function lower_tags(tags text[]) returns text[]
  immutable parallel safe language sql
  return (select coalesce(array_agg(lower(tag)), '{}') from unnest(tags) tag);

create unique index products_public_id on products (public_id);
create index products_live on products (public_id) where deleted_at is null and archived_at is null;
create index products_live_of_category on products (category, public_id)
  where deleted_at is null and archived_at is null;
create index products_trending on products (exchanges_in_week desc, public_id)
  where deleted_at is null and archived_at is null and exchanges_in_week > 0;
create index products_trending_of_category on products (category, exchanges_in_week desc, public_id)
  where deleted_at is null and archived_at is null and exchanges_in_week > 0;
create index products_counted on products (id) where exchanges_in_week > 0;
create index products_live_text on products using gin (product_text(title, tags) gin_trgm_ops)
  where deleted_at is null and archived_at is null;
create index products_live_tags on products using gin (lower_tags(tags))
  where deleted_at is null and archived_at is null;

-- "Not for me": a listing or a category that is never offered to this member. A mark that was taken back binds until it ends.
create table unwanted_offers (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  listing_id uuid references listings,
  category text check (category in ('template', 'tool', 'design', 'guide', 'course', 'audio', 'video', 'other')),
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz check (ends_at > created_at),
  check (num_nonnulls(listing_id, category) = 1)
);
create unique index unwanted_offers_listing on unwanted_offers (member_id, listing_id) where listing_id is not null;
create unique index unwanted_offers_category on unwanted_offers (member_id, category) where category is not null;
create index unwanted_offers_ending on unwanted_offers (ends_at) where ends_at is not null;
create trigger unwanted_offers_member_lives before insert on unwanted_offers
  for each row execute function refuse_erased_member('member_id');

-- A listing is one page of a marketplace on which something is sold. It stays the same thing whoever connects it and however
-- often: ticket of the draw, exposure, and who reviewed it belong to the listing and not to the product that shows it.

-- How the addresses of a marketplace's listings are read. {id} is the listing's id, {title} is any one segment.
-- The forms are letters, digits, hyphens, and classes of them with a smallest and a largest count.
alter table marketplaces
  add column listing_paths text[] not null default '{"/listing/{id}","/listing/{id}/{title}"}',
  add column listing_id_form text not null default '[0-9]{1,20}',
  add column coupon_parameter text not null default 'coupon' check (coupon_parameter ~ '^[A-Za-z0-9_-]{1,40}$'),
  add column coupon_forms text[] not null default '{"[A-Za-z0-9_-]{2,40}"}',
  add constraint marketplaces_listing_paths check (
    array_to_string(listing_paths, ' ') ~ '^((/[a-z0-9._-]+|/\{title\})*/\{id\}(/[a-z0-9._-]+|/\{title\})*( |$))+$'
    and listing_paths[1] !~ 'title'
  ),
  add constraint marketplaces_listing_id_form
    check (listing_id_form ~ '^(\[[A-Za-z0-9_-]+\]\{[0-9]{1,2},[0-9]{1,2}\}|[A-Za-z0-9_-])+$'),
  add constraint marketplaces_coupon_forms check (
    array_to_string(coupon_forms, ' ') ~ '^((\[[A-Za-z0-9_-]+\]\{[0-9]{1,2},[0-9]{1,2}\}|[A-Za-z0-9_-])+( |$))+$'
  );

create table listings (
  id uuid primary key,
  marketplace_id uuid not null references marketplaces,
  -- Its id on the marketplace: digits without leading zeros, letters in lower case. Once its seller is erased: a keyed hash.
  external_id text not null check (length(external_id) between 1 and 200),
  created_at timestamptz not null default clock_timestamp(),
  unique (marketplace_id, external_id)
);

-- Members who tried to connect a listing that another member has connected. For our staff.
create table listing_claims (
  listing_id uuid not null references listings,
  member_id uuid not null references members,
  attempts integer not null default 1 check (attempts > 0),
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  primary key (listing_id, member_id)
);
create index listing_claims_of on listing_claims (member_id);

alter table products add column listing_id uuid references listings;
alter table review_queue add column listing_id uuid references listings;
alter table reviews add column listing_id uuid references listings;

-- Of several products with one listing, the oldest that is not deleted keeps it. The others get one of their own, and
-- leave the rotation until their link is read again.
create temporary table read_links on commit drop as
select id as product_id, marketplace_id, deleted_at is null as there, coalesce(read_id, 'product:' || id) as external_id,
  read_id is not null and row_number() over (partition by marketplace_id, read_id order by deleted_at is not null, created_at, id) > 1
    as repeated
from (
  select *, substring(lower(coupon_link) from '^https://[^/?#]+/listing/0*([0-9]{1,20})(?:[-/?#]|$)') as read_id from products
) p;
update read_links set external_id = 'product:' || product_id where repeated;
insert into listings (id, marketplace_id, external_id) select gen_random_uuid(), marketplace_id, external_id from read_links;
update products p set listing_id = l.id, archived_at = case when r.repeated and r.there then coalesce(p.archived_at, clock_timestamp())
    else p.archived_at end
  from read_links r join listings l using (marketplace_id, external_id) where r.product_id = p.id;
update review_queue q set listing_id = p.listing_id from products p where p.id = q.product_id;
update reviews r set listing_id = p.listing_id from products p where p.id = r.product_id;
with cancelled as (
  update review_queue q set status = 'cancelled', closed_at = clock_timestamp() from read_links r
  where r.product_id = q.product_id and r.repeated and r.there and q.status in ('queued', 'held') returning q.seller_id
)
update reviewer_states s set open_requests = open_requests - c.requests
  from (select seller_id, count(*) as requests from cancelled group by 1) c where c.seller_id = s.member_id;

-- The demo's links end in a title; its listings are addressed by their number.
update products set coupon_link = regexp_replace(coupon_link, '^(https://makerlane\.example/listing/[0-9]+)-[^/?#]*', '\1');

alter table products alter column listing_id set not null, drop column coupon_link_norm;
alter table review_queue alter column listing_id set not null;
alter table reviews alter column listing_id set not null;

create unique index products_one_listing on products (listing_id) where deleted_at is null;
create index products_of_listing on products (listing_id, seller_id);
drop index review_queue_one_open, review_queue_once, reviews_once, reviews_of_product;
create unique index review_queue_one_open on review_queue (listing_id) where status in ('queued', 'held', 'offered', 'in_review');
create unique index review_queue_once on review_queue (listing_id, reviewer_id) where status in ('in_review', 'completed');
create index review_queue_of_listing on review_queue (listing_id, created_at desc, id desc);
create unique index reviews_once on reviews (reviewer_id, listing_id) where status <> 'lapsed';
create index reviews_of_listing on reviews (listing_id);

-- What members state in a decline without penalty is remembered as a fact, so that the same match is not made again.

-- The file format of a product, if its seller stated one.
alter table products add column format text check (format in ('pdf', 'epub', 'document', 'spreadsheet', 'slides', 'notion',
  'canva', 'figma', 'photoshop', 'illustrator', 'procreate', 'image', 'font', 'cutting', 'software', 'online', 'audio', 'video'));

create or replace function product_snapshot(p products) returns jsonb language sql stable as $$
  select jsonb_build_object('title', p.title, 'category', p.category, 'format', p.format, 'description', p.description,
    'tags', p.tags, 'price_cents', p.price_cents, 'coupon_link', p.coupon_link, 'image_id', p.image_id)
$$;

-- "I already own it": never this listing again.
create table owned_listings (
  member_id uuid not null references members on delete cascade,
  listing_id uuid not null references listings,
  created_at timestamptz not null default clock_timestamp(),
  primary key (member_id, listing_id)
);

-- "Conflict of interest": never these two again, in either direction.
create table conflicts (
  lo uuid not null references members on delete cascade,
  hi uuid not null references members on delete cascade,
  declared_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (lo, hi),
  check (lo < hi and declared_by in (lo, hi))
);
create index conflicts_hi on conflicts (hi);

-- "I cannot use the format": no product of this category and format, until the member says otherwise. A null format
-- stands for the products of the category that state none.
create table unusable_formats (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  category text not null,
  format text,
  created_at timestamptz not null default clock_timestamp()
);
create unique index unusable_formats_once on unusable_formats (member_id, category, coalesce(format, ''));

-- "The listing is broken": two open reports take it out of the rotation, which closes them.
create table listing_reports (
  listing_id uuid not null references listings,
  member_id uuid not null references members on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz check (closed_at >= created_at),
  primary key (listing_id, member_id)
);
create index listing_reports_of on listing_reports (member_id);

create trigger owned_listings_member_lives before insert on owned_listings
  for each row execute function refuse_erased_member('member_id');
create trigger unusable_formats_member_lives before insert on unusable_formats
  for each row execute function refuse_erased_member('member_id');
create trigger listing_reports_member_lives before insert on listing_reports
  for each row execute function refuse_erased_member('member_id');

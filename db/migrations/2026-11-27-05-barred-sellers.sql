-- Sellers who may not connect a listing, since our staff decided that it is not theirs to sell.
create table barred_sellers (
  listing_id uuid not null references listings,
  member_id uuid not null references members,
  -- What was deleted with it, and comes back with a successful appeal.
  product_id uuid references products,
  created_at timestamptz not null default clock_timestamp(),
  primary key (listing_id, member_id)
);
create index barred_sellers_of on barred_sellers (member_id);
create index barred_sellers_product on barred_sellers (product_id);
-- A listing can be reported for it.
alter table reports drop constraint reports_reason_check,
  add constraint reports_reason_check check (reason in ('not_visible', 'other_product', 'not_bought', 'no_use',
    'copied', 'too_short', 'disclosure_missing', 'personal_data', 'abusive', 'unlawful', 'broken',
    'not_as_described', 'not_theirs', 'asks_for_stars', 'rewards')) not valid;
alter table case_decisions drop constraint case_decisions_rule_check,
  add constraint case_decisions_rule_check check (rule in ('not_visible', 'other_product', 'not_bought',
    'no_use', 'copied', 'too_short', 'disclosure_missing', 'personal_data', 'abusive', 'unlawful', 'broken',
    'not_as_described', 'not_theirs', 'asks_for_stars', 'rewards')) not valid;

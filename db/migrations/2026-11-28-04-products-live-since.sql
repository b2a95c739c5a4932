-- Since when a product that was archived in an earlier month is in the rotation again; null for one that never
-- was. The public count of a member's products is that of the month's beginning.
alter table products add column live_since timestamptz;

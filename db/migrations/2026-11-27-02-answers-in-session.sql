-- How many of the latest offers to members who were present were answered in the usual time, and for how long
-- such an offer stays open now.
alter table rotation_figures add column live_offers int not null default 0,
  add column answered_in_session int not null default 0,
  add column live_offer_minutes int not null default 30;

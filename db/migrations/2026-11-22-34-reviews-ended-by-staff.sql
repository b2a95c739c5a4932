-- Our staff may end a review without fault. It lapses without a strike, and not because anybody left.
alter table reviews
  add column ended_by_staff boolean not null default false,
  add constraint reviews_ended_by_staff check (not ended_by_staff or status = 'lapsed');

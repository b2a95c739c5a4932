-- The rotation's rules about pairs, what a seller receives, and the age of a successor.

-- In the other direction a pair waits longer: twice the window, three times in a small club. Null: forever.
alter table rotation_figures add column reverse_window_days integer default 42;
update rotation_figures set reverse_window_days = pair_window_days * case when members < 30 then 3 else 2 end;

-- asked_at: of the successor of a lapsed request, when the seller first asked; its age counts from then.
-- waits_until: until when it is not drawn, because its seller has received as much as a member may.
alter table review_queue
  add column asked_at timestamptz,
  add column waits_until timestamptz not null default '-infinity',
  add check (asked_at <= created_at);

-- What our staff did and read, by whom, to whom, why, and what it changed. Rows are only added; they lose the
-- names of people who are erased, because they hold ids alone.

create table staff_actions (
  id uuid primary key,
  -- Null: the product by itself.
  actor_id uuid references members,
  -- An underscore-separated code, such as role_changed or proof_viewed.
  action text not null check (action ~ '^[a-z][a-z_]*$'),
  -- The member it was about, if it was about one.
  member_id uuid references members,
  -- The thing it was about: a table's noun and the id of its row.
  subject text check (subject ~ '^[a-z][a-z_]*$'),
  subject_id uuid,
  reason text check (length(reason) between 1 and 2000),
  before jsonb,
  after jsonb,
  at timestamptz not null default clock_timestamp(),
  check ((subject is null) = (subject_id is null))
);
create index staff_actions_at on staff_actions (at desc, id desc);
create index staff_actions_of_member on staff_actions (member_id, at desc, id desc);
create index staff_actions_of_actor on staff_actions (actor_id, at desc, id desc);
create index staff_actions_of_subject on staff_actions (subject_id, at desc, id desc);

create function refuse_change_of_staff_action() returns trigger language plpgsql as $$
begin
  raise exception 'a staff action is a record: it is neither changed nor deleted';
end $$;
create trigger staff_actions_stay before update or delete on staff_actions
  for each row execute function refuse_change_of_staff_action();

-- Every change of a role leaves a row, whoever made it and from where, also by hand.

create table role_changes (
  id bigint generated always as identity primary key,
  member_id uuid not null references members,
  old_role text not null,
  new_role text not null,
  -- The database login that made the change: the website's own, or the operator's.
  login text not null default session_user,
  changed_at timestamptz not null default clock_timestamp(),
  check (old_role <> new_role)
);
create index role_changes_of on role_changes (member_id, id desc);

create function record_role_change() returns trigger language plpgsql as $$
begin
  insert into role_changes (member_id, old_role, new_role)
  values (new.id, case when tg_op = 'INSERT' then 'user' else old.role end, new.role);
  return null;
end $$;
create trigger members_role_given after insert on members
  for each row when (new.role <> 'user') execute function record_role_change();
create trigger members_role_changed after update of role on members
  for each row when (new.role <> old.role) execute function record_role_change();

insert into role_changes (member_id, old_role, new_role)
select id, 'user', role from members where role <> 'user';

-- Who changed a role, and what the staff's lists of members and activity are found and sorted by.

-- Null: the operator, by hand.
alter table role_changes add column actor_id uuid references members;
create index role_changes_by on role_changes (actor_id, id desc);

create or replace function record_role_change() returns trigger language plpgsql as $$
begin
  insert into role_changes (member_id, old_role, new_role, actor_id)
  values (new.id, case when tg_op = 'INSERT' then 'user' else old.role end, new.role,
    nullif(current_setting('evenhand.actor', true), '')::uuid);
  return null;
end $$;

create index members_by_creation on members (created_at, id) where erased_at is null;
create index members_by_name on members (lower(coalesce(full_name, '')), id) where erased_at is null;
create index members_by_role on members (role, id) where erased_at is null;

-- What a search of the members looks through. Lines keep it from matching across two fields.
create function member_text(email text, full_name text, role text) returns text
  immutable parallel safe language sql
  return email || E'\n' || lower(coalesce(full_name, '')) || E'\n' || role;
create index members_text on members using gin (member_text(email, full_name, role) gin_trgm_ops)
  where erased_at is null;
create index members_email_text on members using gin (email gin_trgm_ops) where erased_at is null;

create index activity_logs_by_action on activity_logs (action, created_at desc, id desc);

-- What a search of the activity looks through, besides the member's address.
create function activity_text(action text, metadata jsonb) returns text
  immutable parallel safe language sql
  return action || E'\n' || replace(action, '_', ' ') || E'\n' || lower(metadata::text);
create index activity_logs_text on activity_logs using gin (activity_text(action, metadata) gin_trgm_ops);

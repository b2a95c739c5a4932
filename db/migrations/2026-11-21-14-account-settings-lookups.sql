-- A picture is asked for by its key, members are looked up by how their username begins, and a change of address knows the login session
-- that asked for it.

create unique index members_avatar_key on members (avatar_key) where avatar_key is not null;
create index members_username_prefix on members (username text_pattern_ops);

alter table email_changes add column session_id uuid references sessions on delete set null;
create index email_changes_session_id on email_changes (session_id);

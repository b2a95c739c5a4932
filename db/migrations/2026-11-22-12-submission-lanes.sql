-- The lane in which each text was submitted: a marketplace may move to another one later.
alter table review_versions add column lane text check (lane in ('public', 'private', 'closed'));

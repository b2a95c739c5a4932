-- The search finds usernames with typos: the nearest of all, in the order of the index.
create index members_username_near on members using gist (username gist_trgm_ops (siglen = 32))
  where email_verified and erased_at is null;

-- in steps
-- Whoever pays takes over what an account of theirs owes whose membership ended: it is looked for by its hashes.
create index concurrently identity_hashes_by_hash on identity_hashes (hash);

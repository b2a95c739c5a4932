-- in steps
-- Each sign-in looks for its address, and the unique index is on lower(email).
create index concurrently members_address on members (email);

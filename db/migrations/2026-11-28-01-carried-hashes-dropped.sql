-- What an account brought along from a deleted one is in carried_debts, whose migrations moved every row.
-- unused since 2026-11-27, when carried_debts took its place
drop table carried_hashes;

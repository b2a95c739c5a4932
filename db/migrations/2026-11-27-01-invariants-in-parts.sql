-- A run of the invariants may take longer than one job: it keeps how many of its rules were checked.
alter table invariant_runs add column checked int not null default 0;

-- in steps
alter table ledger_entries validate constraint ledger_entries_reason_check;
alter table ledger_entries validate constraint ledger_entries_of_review;

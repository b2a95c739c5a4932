-- in steps
alter table ledger_entries validate constraint ledger_entries_appealed;

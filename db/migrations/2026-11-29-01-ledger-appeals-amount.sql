-- What an appeal gives is one review to its member, and the club has the opposite.
alter table ledger_entries add constraint ledger_entries_appealed check (
  reason <> 'appealed' or delta = case when member_id is null then -1 else 1 end) not valid;

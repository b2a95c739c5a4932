-- A wrong ledger entry stays as it is. A correction adds its opposite for the member, and the same for the club,
-- so that the sum stays zero. An entry is corrected once; a correction may be corrected like any other entry.
alter table ledger_entries
  drop constraint ledger_entries_reason_check,
  add constraint ledger_entries_reason_check
    check (reason in ('gave', 'received', 'settled', 'carried', 'corrected')),
  add column corrects uuid references ledger_entries,
  add constraint ledger_entries_corrects check ((reason = 'corrected') = (corrects is not null));
create unique index ledger_entries_corrected_once on ledger_entries (corrects, (member_id is null))
  where corrects is not null;

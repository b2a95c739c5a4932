-- `appealed`: a review counts as given although it ended before it was final, because an appeal reversed its
-- removal. The club has the opposite entry, which names no review: an entry of a reason is once per review.
alter table ledger_entries
  drop constraint ledger_entries_reason_check,
  drop constraint ledger_entries_of_review,
  add constraint ledger_entries_reason_check
    check (reason in ('gave', 'received', 'settled', 'carried', 'corrected', 'appealed')) not valid,
  add constraint ledger_entries_of_review check (review_id is not null
    = (reason in ('gave', 'received') or reason = 'appealed' and member_id is not null)) not valid;

-- Our staff check a proof: accepted, it keeps the moment; refused, it proves nothing, and the reviewer adds another.
alter table proofs
  add column checked_at timestamptz,
  drop constraint proofs_state_check,
  add constraint proofs_state_check check (state in ('stored', 'replaced', 'deleted', 'refused')),
  add constraint proofs_checked check (checked_at is null or state <> 'refused');

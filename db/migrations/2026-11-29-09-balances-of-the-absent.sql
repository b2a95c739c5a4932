-- in steps
-- What accounts without a membership owe or are owed, for the rule that new members give first.
create index concurrently reviewer_states_out on reviewer_states (balance, pending_take)
  where standing = 'out' and balance <> pending_take;

-- The time in which a request waits for a moment is no wait of the rotation's rules: no member could be asked.
-- It was left out when the moment was set, so a hold at the same time is counted from that moment on only.
create or replace function skip_time_on_hold() returns trigger language plpgsql as $$
begin
  if new.status = 'held' then
    new.held_at := clock_timestamp();
  else
    new.waiting_since := coalesce(new.waiting_since, new.asked_at, new.created_at)
      + (clock_timestamp() - least(clock_timestamp(),
        greatest(coalesce(old.held_at, clock_timestamp()), old.waits_until)));
    new.held_at := null;
  end if;
  return new;
end $$;

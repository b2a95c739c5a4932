-- What opens a request to more members is the time in which it really waited: neither the days in which a
-- member wrote, of a review that lapsed, nor a time on hold counts.
-- waiting_since: from when that time counts. Null: since it was asked. held_at: since when it is on hold.
alter table review_queue
  add column waiting_since timestamptz,
  add column held_at timestamptz;

create function skip_time_on_hold() returns trigger language plpgsql as $$
begin
  if new.status = 'held' then
    new.held_at := clock_timestamp();
  else
    new.waiting_since := coalesce(new.waiting_since, new.asked_at, new.created_at)
      + (clock_timestamp() - coalesce(old.held_at, clock_timestamp()));
    new.held_at := null;
  end if;
  return new;
end $$;

create trigger review_queue_on_hold before update of status on review_queue for each row
  when ((old.status = 'held') <> (new.status = 'held')) execute function skip_time_on_hold();

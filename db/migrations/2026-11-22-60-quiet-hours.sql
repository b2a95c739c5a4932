-- The hours in which a member wants to be asked, on days of the week, in their time zone. Outside of them the member
-- counts as absent and gets no offer. Without a row they can be asked at any time.
create table asking_hours (
  member_id uuid primary key references members on delete cascade,
  -- 1 is Monday. A time over midnight belongs to the day on which it begins.
  days smallint[] not null check (days <@ '{1,2,3,4,5,6,7}' and cardinality(days) between 1 and 7),
  -- Minutes after midnight. The same minute twice is the whole day.
  from_minute smallint not null check (from_minute between 0 and 1439),
  until_minute smallint not null check (until_minute between 0 and 1439),
  -- The zone of the device at the last change; the zone of the member's settings comes first.
  time_zone text not null check (length(time_zone) between 1 and 64),
  updated_at timestamptz not null default clock_timestamp()
);
create trigger asking_hours_member_lives before insert on asking_hours
  for each row execute function refuse_erased_member('member_id');

-- Browsers may know a time zone that this database does not.
create function known_zone(zone text) returns text language plpgsql stable as $$
begin
  perform now() at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end $$;

-- The present or next gap between the asking hours, on the clocks of the zone: hours that a change of the clocks leaves
-- out are none. Null when there is no gap.
create function quiet_period(at timestamptz, days smallint[], from_minute integer, until_minute integer, zone text)
  returns tstzrange language sql stable as $$
  select gap from unnest(
    tstzmultirange(tstzrange(at - interval '24 hours', at + interval '216 hours')) - (
      select range_agg(tstzrange(begins, greatest(begins, ends))) from (
        select (day + make_interval(mins => from_minute)) at time zone zone as begins,
          (day + make_interval(mins => until_minute, days => (until_minute <= from_minute)::int)) at time zone zone as ends
        from generate_series(date_trunc('day', at at time zone zone) - interval '2 days',
          date_trunc('day', at at time zone zone) + interval '11 days', interval '1 day') day
        where extract(isodow from day) = any(days)
      ) asking
    )) gap
  where upper(gap) > at order by lower(gap) limit 1
$$;

-- The present or next quiet period, so that one comparison says whether the member can be asked.
alter table reviewer_states add column quiet_from timestamptz, add column quiet_until timestamptz;
alter table reviewer_states add check ((quiet_from is null) = (quiet_until is null) and quiet_from < quiet_until);
create index reviewer_states_quiet_ends on reviewer_states (quiet_until) where quiet_until is not null;
create index reviewer_states_quiet_begins on reviewer_states (quiet_from) where tier < 8 and quiet_from is not null;
-- 8: in quiet hours.
alter table reviewer_states drop constraint reviewer_states_tier_check,
  add check (tier in (0, 1, 2, 8, 9));

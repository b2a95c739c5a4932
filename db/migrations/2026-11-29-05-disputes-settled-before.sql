-- in steps
-- Lost disputes of members who are not suspended anymore were settled, a thousand at a time.
do $$
declare last uuid := '00000000-0000-0000-0000-000000000000'; upto uuid;
begin
  loop
    upto := (select id from (select id from disputes where id > last order by id limit 1000) batch
      order by id desc limit 1);
    exit when upto is null;
    update disputes d set settled_at = clock_timestamp() from members m
    where m.id = d.member_id and d.id > last and d.id <= upto and d.status = 'lost'
      and d.settled_at is null and m.suspended_at is null;
    commit;
    last := upto;
  end loop;
end $$;

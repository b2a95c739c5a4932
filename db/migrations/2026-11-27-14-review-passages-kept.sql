-- in steps
-- The texts of before, a thousand at a time. What has passages already is left as it is.
do $$
declare last uuid := '00000000-0000-0000-0000-000000000000'; upto uuid;
begin
  loop
    upto := (select id from (select id from reviews where id > last order by id limit 1000) batch
      order by id desc limit 1);
    exit when upto is null;
    insert into review_passages (hash, review_id)
    select unnest(passages_of(body)), id from reviews where id > last and id <= upto and body is not null
    on conflict do nothing;
    commit;
    last := upto;
  end loop;
end $$;

-- A near-duplicate was looked for among the trigrams of all texts: seconds, with the locks of both members, in
-- a club of 40,000 reviews. Texts that have passages in common are found by these, of which each text has 32.
-- The processes of the version before still use the index reviews_body: it goes with the next release.
-- No row of reviews is deleted: a reference would need an index of its own, as large as the table.
create table review_passages (
  hash int not null,
  review_id uuid not null,
  primary key (hash, review_id)
);

-- The least 32 hashes of all passages of 12 bytes, of letters and digits alone: texts that are alike have some in
-- common.
create function passages_of(body text) returns int[] language sql immutable strict parallel safe as $$
  with of_text as materialized (
    select convert_to(regexp_replace(lower(body), '[^[:alnum:]]+', '', 'g'), 'UTF8') as plain
  )
  select coalesce(array_agg(hash), '{}') from (
    select distinct ('x' || left(md5(substring(plain from at for 12)), 8))::bit(32)::int as hash
    from of_text, generate_series(1, greatest(1, length(plain) - 11)) at
    order by hash limit 32
  ) of_body
$$;

create function keep_passages() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from review_passages where hash = any(passages_of(old.body)) and review_id = new.id;
  end if;
  if new.body is not null then
    insert into review_passages (hash, review_id) select unnest(passages_of(new.body)), new.id
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger reviews_passages after insert on reviews for each row
  when (new.body is not null) execute function keep_passages();
create trigger reviews_passages_changed after update of body on reviews for each row
  when (old.body is distinct from new.body) execute function keep_passages();

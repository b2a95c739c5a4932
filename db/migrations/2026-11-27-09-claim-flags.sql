-- in steps
-- A flag of a claim is named by the moment of the first attempt, which no later decision changes.
do $$
declare claim record;
begin
  for claim in select listing_id, member_id, first_at from listing_claims loop
    update flags set key = concat_ws(':', claim.listing_id, claim.member_id, extract(epoch from claim.first_at))
    where id = (select id from flags where kind = 'listing_claim' and listing_id = claim.listing_id
      and member_id = claim.member_id order by found_at desc, id desc limit 1);
    commit;
  end loop;
end $$;

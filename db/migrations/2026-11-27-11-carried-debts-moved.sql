-- in steps
create index concurrently debts_listing_hashes on debts using gin (listing_hashes);
create index concurrently carried_debts_listing_hashes on carried_debts using gin (listing_hashes);
-- Which listing brought the hashes was not kept: it is one that the member has connected.
with moved as (delete from carried_hashes returning member_id, hash)
insert into carried_debts (id, member_id, listing_id, hashes, listing_hashes, owed, kept_until)
select gen_random_uuid(), m.member_id, p.listing_id, m.hashes, '{}', least(-s.balance, c.owed),
  (clock_timestamp() at time zone 'UTC' + interval '24 months')::date
from (select member_id, array_agg(hash order by hash) as hashes from moved group by 1) m
join reviewer_states s on s.member_id = m.member_id and s.balance < 0
join lateral (select listing_id from products where seller_id = m.member_id
  order by deleted_at desc nulls first, id limit 1) p on true
join lateral (select -sum(delta) as owed from ledger_entries
  where member_id = m.member_id and reason = 'carried') c on c.owed > 0;

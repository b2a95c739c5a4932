-- Where each member stands, read from the account and the membership: the one definition of who takes part.
-- `canTakePart` of the contract decides the same from the same facts, and says why not.
-- The clock is that of the statement: with a volatile one PostgreSQL would work out every member to find one.
create view standings as
select member_id, erased, email_verified, username, suspended, membership_active, paused,
  case
    when erased or not email_verified or username is null or suspended or not membership_active then 'out'
    when paused then 'paused'
    else 'in'
  end as standing
from (
  select m.id as member_id, m.erased_at is not null as erased, m.email_verified, m.username, m.suspended_at is not null as suspended,
    coalesce(s.status = 'active', false) as membership_active,
    coalesce(s.paused_from <= statement_timestamp() and s.paused_until > statement_timestamp(), false) as paused
  from members m left join memberships s on s.member_id = m.id
) facts;

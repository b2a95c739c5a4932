-- A suspension has a reason that its member reads, and may end by itself. Without an end our staff lift it.
alter table members
  add column suspended_until timestamptz,
  add column suspension_reason text check (length(suspension_reason) between 1 and 2000),
  add constraint members_suspended check (
    (suspended_until is null or suspended_until > suspended_at) and (suspended_at is not null
      or suspended_until is null and suspension_reason is null));
create index members_suspended_until on members (suspended_until) where suspended_until is not null;

-- A suspension that is over counts no more, from that moment on: a job only tidies it up.
create or replace view standings as
select member_id, erased, email_verified, username, suspended, membership_active, paused,
  case
    when erased or not email_verified or username is null or suspended or not membership_active then 'out'
    when paused then 'paused'
    else 'in'
  end as standing
from (
  select m.id as member_id, m.erased_at is not null as erased, m.email_verified, m.username,
    m.suspended_at is not null and (m.suspended_until is null or m.suspended_until > statement_timestamp())
      as suspended,
    coalesce(s.status = 'active', false) as membership_active,
    coalesce(s.paused_from <= statement_timestamp() and s.paused_until > statement_timestamp(), false) as paused
  from members m left join memberships s on s.member_id = m.id
) facts;

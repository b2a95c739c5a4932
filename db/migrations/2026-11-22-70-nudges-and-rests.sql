-- Nudges tell an absent member that a request waits, and bind nothing. `review_queue.nudged_at` is the same for a
-- request. Which member was nudged about which request is stored nowhere.
alter table reviewer_states add column nudged_at timestamptz;

-- Serial refusal rests: how many offers in a row the member did not accept, and until when they get none.
alter table reviewer_states add column refusals smallint not null default 0 check (refusals >= 0),
  add column rest_until timestamptz,
  add check (rest_until is null or refusals > 0);
drop index reviewer_states_wake;
create index reviewer_states_wake on reviewer_states (greatest(available_at, rest_until))
  where tier = 9 and standing = 'in' and open_offer_id is null;

-- Below an even balance every band has a second half. It holds the members who receive on credit and have refused
-- ten offers in a row, so that they are last of their band, in the window and in the lottery: 0 and 1 owe two, 2 and 3
-- owe one, 4 is even, 5 and more are ahead.
drop index reviewer_states_rotation;
alter table reviewer_states drop column band;
alter table reviewer_states add column band smallint not null generated always as (
  case
    when balance + pending_give >= 1 then least(balance + pending_give + 4, 8)
    else 2 * (greatest(balance + pending_give - pending_take - open_requests, -2) + 2)
      + (refusals >= 10 and balance + pending_give - pending_take - open_requests < 0)::int
  end
) stored;
create index reviewer_states_rotation on reviewer_states (tier, band, turn_at, member_id) where tier < 9;

-- Nudges are a kind of their own, which a member can switch off by channel.
alter table notice_preferences drop constraint notice_preferences_kind_check,
  add constraint notice_preferences_kind_check
    check (kind in ('offers', 'nudges', 'writing', 'receiving', 'membership'));

-- Rules that the club's data never breaks. Each query returns the rows that break its rule, so none ever.
-- They run read-only after every test file, in load and fault tests, and every ten minutes in the worker.

-- I01 at most one open request per product, and per listing
select product_id from review_queue where status in ('queued', 'held', 'offered', 'in_review')
  group by 1 having count(*) > 1
union all select listing_id from review_queue where status in ('queued', 'held', 'offered', 'in_review')
  group by 1 having count(*) > 1;

-- I02 no member is offered or reviews their own product
select q.id from review_queue q where q.offered_to = q.seller_id or q.reviewer_id = q.seller_id
union all select r.id from reviews r join products p on p.id = r.product_id where r.reviewer_id = p.seller_id;

-- I03 a request's seller is its product's seller
select q.id from review_queue q join products p on p.id = q.product_id where p.seller_id <> q.seller_id;

-- I05 per request at most one open offer, and at most one accepted ever
select queue_id from offers where state in ('open', 'accepted') group by queue_id, state having count(*) > 1;

-- I06 a request is offered exactly when there is one open offer, to the same person
select q.id from review_queue q left join offers o on o.queue_id = q.id and o.state = 'open'
where (q.status = 'offered') <> (o.id is not null)
   or (q.status = 'offered' and o.reviewer_id is distinct from q.offered_to);

-- I07 a member holds at most one open offer
select reviewer_id from offers where state = 'open' group by 1 having count(*) > 1;

-- I08 a request is in review or completed exactly when there is one review, by the member who accepted
select q.id from review_queue q left join reviews r on r.queue_id = q.id
where (q.status in ('in_review', 'completed', 'lapsed')) <> (r.id is not null)
   or (r.id is not null and (r.reviewer_id is distinct from q.reviewer_id or r.seller_id <> q.seller_id));

-- I08b the review and its request agree on how it ended
select q.id from review_queue q join reviews r on r.queue_id = q.id
where (q.status = 'completed') <> (r.status = 'verified') or (q.status = 'lapsed') <> (r.status = 'lapsed');

-- I09 no offer was accepted after it expired
select id from offers where state = 'accepted' and responded_at > expires_at;

-- I11 at most 3 accepts per member in one UTC day
select reviewer_id from reviews group by reviewer_id, (accepted_at at time zone 'UTC')::date
  having count(*) > 3;

-- I12 at most 8 accepts per member in any rolling 168 hours
select reviewer_id from (
  select reviewer_id, count(*) over (partition by reviewer_id order by accepted_at
    range between interval '168 hours' preceding and current row) as n from reviews) t where n > 8;

-- I12b at most 3 accepted reviews of a member's requests in one UTC day, and 8 in any rolling 168 hours
select seller_id from reviews group by seller_id, (accepted_at at time zone 'UTC')::date having count(*) > 3
union all select seller_id from (
  select seller_id, count(*) over (partition by seller_id order by accepted_at
    range between interval '168 hours' preceding and current row) as n from reviews) t where n > 8;

-- I13 no pair is matched twice within 14 days, and within 28 days in the other direction, except for lapsed
-- reviews
select a.id from reviews a join reviews b on b.id > a.id
  and least(a.reviewer_id, a.seller_id) = least(b.reviewer_id, b.seller_id)
  and greatest(a.reviewer_id, a.seller_id) = greatest(b.reviewer_id, b.seller_id)
where a.status <> 'lapsed' and b.status <> 'lapsed'
  and abs(extract(epoch from a.accepted_at - b.accepted_at))
    < case when a.reviewer_id = b.reviewer_id then 14 else 28 end * 86400;

-- I14 no member reviews one listing twice, except for lapsed reviews
select reviewer_id from reviews where status <> 'lapsed' group by reviewer_id, listing_id having count(*) > 1;

-- I15 a submitted review has a proof
select r.id from reviews r where r.status in ('reviewed', 'returned', 'verified')
  and not exists (select from proofs p where p.review_id = r.id and p.state in ('stored', 'deleted'));

-- I15b a submitted review has 40 words or 3 sentences without its disclosure, and at most 8000 characters;
-- in scripts without spaces, two characters are a word
select id from reviews where status in ('reviewed', 'returned', 'verified') and (length(body) > 8000
  or regexp_count(regexp_replace(body, '[.!?。｡！？"”’»)\]\s]+$', ''), '[.!?。｡！？]+') < 2
    and regexp_count(body, '[[:alnum:]]+') + regexp_count(body, '[^\x01-\x7f]{2}') < 40);

-- I15c a text submitted in the public lane begins with the disclosure, whatever its spaces and case
select v.review_id from review_versions v join reviews r on r.id = v.review_id,
  (select '[^[:alnum:]]|[\u115f\u1160\u3164\uffa0]') gaps (form)
where v.lane = 'public' and not case when starts_with(v.body, r.disclosure) then true
  else starts_with(lower(regexp_replace(normalize(v.body, nfkc), form, '', 'g')),
    lower(regexp_replace(normalize(r.disclosure, nfkc), form, '', 'g'))) end;

-- I18 a verified review has one entry for the giver and one for the receiver; others have none, but for one
-- whose removal an appeal reversed
select r.id from reviews r left join ledger_entries l on l.review_id = r.id
  group by r.id, r.status, r.reviewer_id, r.seller_id
having (r.status = 'verified' and not (count(l.id) = 2
    and count(*) filter (where l.reason = 'gave' and l.member_id = r.reviewer_id and l.delta = 1) = 1
    and count(*) filter (where l.reason = 'received' and l.member_id = r.seller_id and l.delta = -1) = 1))
  or (r.status <> 'verified' and count(l.id) > count(*) filter (where l.reason = 'appealed'
    and r.status = 'lapsed' and l.member_id = r.reviewer_id and l.delta = 1));

-- I18b a review that counts after an appeal ended by a decision that was reversed; if a deadline made it, the
-- return before it was reversed, too
select l.review_id from ledger_entries l
where l.reason = 'appealed' and l.member_id is not null and not exists (
  select from cases c join case_decisions d on d.case_id = c.id and d.outcome = 'removed'
  where c.review_id = l.review_id and c.subject = 'review' and d.overturned_at is not null
    and (d.decided_by is not null or exists (select from case_decisions b where b.case_id = d.case_id
      and b.outcome = 'returned' and b.n = d.n - 1 and b.overturned_at is not null)));

-- I19 the whole ledger sums to zero
select sum(delta) from ledger_entries having coalesce(sum(delta), 0) <> 0;

-- I19g every entry is one link of the chain, the links are numbered without a gap, and every hash is that of
-- its content and of the link before it
with keys as materialized (select member_id, ledger_key(member_id) as key from reviewer_states)
select e.id::text from ledger_entries e left join ledger_chain c on c.entry_id = e.id where c.seq is null
union all select c.seq::text from (select *, lag(seq) over (order by seq) as previous_seq,
    lag(hash) over (order by seq) as previous from ledger_chain) c
  join ledger_entries e on e.id = c.entry_id left join keys k on k.member_id = e.member_id
where c.seq <> coalesce(c.previous_seq, 0) + 1
  or c.details <> ledger_details(c.salt, e)
  or c.leaf <> ledger_leaf(e, c.owner, c.details)
  or c.hash <> ledger_link(c.previous, c.seq, c.leaf)
  or c.owner <> sha256(c.salt || case when e.member_id is null then 'club'::bytea else k.key end);

-- I19h the seals cover the chain from its start without a gap, each ends at its link, and sums to zero
select s.number from (select *, lag(last_seq, 1, 0::bigint) over (order by number) as after_seq,
    lag(number, 1, 0) over (order by number) as previous_number from ledger_seals) s
  left join ledger_chain c on c.seq = s.last_seq
where s.number <> s.previous_number + 1 or s.entries <> s.last_seq - s.after_seq or s.sum <> 0
  or s.head is distinct from c.hash;

-- I19b a member's balance equals the sum of their ledger entries
select s.member_id from reviewer_states s left join ledger_entries l on l.member_id = s.member_id
group by s.member_id, s.balance having s.balance <> coalesce(sum(l.delta), 0);

-- I19d the balance of an erased member was settled
select s.member_id from reviewer_states s join members m on m.id = s.member_id
where m.erased_at is not null and s.balance <> 0;

-- I19e what leaving members left, returning members took back and appeals gave is what the club holds
select reason from ledger_entries where review_id is null or reason = 'appealed'
group by reason having sum(delta) <> 0;

-- I19f a correction is the opposite of the entry that it corrects, of the same member; the club has the same
-- amount
select c.id from ledger_entries c join ledger_entries e on e.id = c.corrects
where case when c.member_id is null then c.delta <> e.delta
  else c.delta <> -e.delta or c.member_id is distinct from e.member_id end
union all select corrects from ledger_entries where corrects is not null
  group by corrects having count(*) <> 2;

-- I19c the counters of open reviews and requests agree with the rows
select s.member_id from reviewer_states s
where s.pending_give <> (select count(*) from reviews r
  where r.reviewer_id = s.member_id and r.status not in ('verified', 'lapsed'))
   or s.pending_take <> (select count(*) from reviews r
     where r.seller_id = s.member_id and r.status not in ('verified', 'lapsed'))
   or s.open_requests <> (select count(*) from review_queue q
     where q.seller_id = s.member_id and q.status in ('queued', 'held', 'offered'));

-- I21 the n-th counted decline of a UTC day got 0, 30, 120, then 360 minutes
select id from (
  select id, cooldown_applied_minutes as minutes,
    row_number() over (
      partition by reviewer_id, (created_at at time zone 'UTC')::date order by created_at, id) as n
  from decline_history where counted) t
where minutes <> case n when 1 then 0 when 2 then 30 when 3 then 120 else 360 end;

-- I21b at most two declines of a member in one UTC day are not counted
select reviewer_id from decline_history where not counted
  group by reviewer_id, (created_at at time zone 'UTC')::date having count(*) > 2;

-- I21c no open offer was made against what the member had stated
select o.id from offers o join review_queue q on q.id = o.queue_id join products p on p.id = q.product_id
where o.state = 'open' and (
  exists (select from conflicts x where x.lo = least(o.reviewer_id, o.seller_id)
    and x.hi = greatest(o.reviewer_id, o.seller_id) and x.created_at < o.offered_at)
  or exists (select from owned_listings x where x.member_id = o.reviewer_id
    and x.listing_id = q.listing_id and x.created_at < o.offered_at)
  or exists (select from unusable_formats x where x.member_id = o.reviewer_id
    and x.category = p.category and x.format is not distinct from p.format and x.created_at < o.offered_at));

-- I21e no open offer was made while its request waited, as at its seller's limit; the job withdraws within
-- minutes what a draw made in the same moment
select o.id from offers o join review_queue q on q.id = o.queue_id
where o.state = 'open' and q.waits_until > clock_timestamp()
  and o.offered_at < clock_timestamp() - interval '5 minutes';

-- I21f no offer is open between two members who may be one person
select o.id from offers o join payer_cards a on a.member_id = o.reviewer_id
  join payer_cards b on b.member_id = o.seller_id and b.card_hash = a.card_hash where o.state = 'open'
union all select o.id from offers o join identity_hashes a on a.member_id = o.reviewer_id and not a.of_listing
  join identity_hashes b on b.member_id = o.seller_id and b.hash = a.hash and not b.of_listing
  where o.state = 'open';

-- I21d no offer is open between two members of whom one declared the other
select o.id from offers o join declared_pairs x on x.one = o.reviewer_id and x.other = o.seller_id
  where o.state = 'open'
union all select o.id from offers o join declared_pairs x on x.one = o.seller_id and x.other = o.reviewer_id
  where o.state = 'open';

-- I22 no open offer was made to a member on cooldown
select o.id from offers o join reviewer_states s on s.member_id = o.reviewer_id
where o.state = 'open' and s.cooldown_until > o.offered_at
  and not exists (select from decline_history d
    where d.reviewer_id = o.reviewer_id and d.created_at > o.offered_at);

-- I23 every decline row belongs to a declined offer of that reviewer
select d.id from decline_history d join offers o on o.id = d.offer_id
  where o.state <> 'declined' or o.reviewer_id <> d.reviewer_id;

-- I24 no offer is open more than 5 minutes after it expired
select id from offers where state = 'open' and expires_at < clock_timestamp() - interval '5 minutes';

-- I25 no review is overdue by more than an hour without a consequence
select id from reviews where status in ('pending', 'purchased')
  and due_at < clock_timestamp() - interval '1 hour'
union all select id from reviews where status = 'returned'
  and return_due_at < clock_timestamp() - interval '1 hour'
union all select id from reviews where status = 'reviewed' and held_at is null
  and confirm_due_at < clock_timestamp() - interval '1 hour';

-- I26 nothing is offered to a member who does not take part
select o.id from offers o join standings t on t.member_id = o.reviewer_id
  where o.state = 'open' and t.standing <> 'in';

-- I26b no suspension outlasts its end by an hour
select id from members where suspended_until < clock_timestamp() - interval '1 hour';

-- I28 a subscription that is to end, or whose payment goes back, is no running membership
select s.member_id from memberships s join membership_orders o on o.member_id = s.member_id
    and o.subscription_id = s.stripe_subscription_id
  where s.source = 'stripe' and s.status in ('active', 'past_due') and o.kind in ('end', 'refund')
    and o.failed_at is null;

-- I29 an active member has a period that ended at most 3 days ago, and a subscription when it is paid for
select member_id from memberships where status = 'active'
  and (current_period_end < clock_timestamp() - interval '3 days'
    or (source = 'stripe' and stripe_subscription_id is null));

-- I30 every event of the payment partner is applied within 10 minutes
select id from stripe_events where processed_at is null
  and received_at < clock_timestamp() - interval '10 minutes';

-- I32 at most ten products of a member are in the rotation
select seller_id from products where deleted_at is null and archived_at is null group by 1
  having count(*) > 10;

-- I34 an unverified member has no session, product or review
select m.id from members m where not m.email_verified and (
  exists (select from sessions s where s.member_id = m.id)
  or exists (select from products p where p.seller_id = m.id)
  or exists (select from reviews r where r.reviewer_id = m.id));

-- I35 an erased member has no personal data, session, account, username, stored proof or open request;
-- the constraint members_erased checks the row itself
select m.id from members m where m.erased_at is not null and (
  exists (select from sessions x where x.member_id = m.id)
  or exists (select from login_methods x where x.member_id = m.id)
  or exists (select from passkeys x where x.member_id = m.id)
  or exists (select from two_factor_secrets x where x.member_id = m.id)
  or exists (select from one_time_secrets x where x.member_id = m.id)
  or exists (select from email_changes x where x.member_id = m.id)
  or exists (select from reserved_usernames x where x.member_id = m.id)
  or exists (select from notice_preferences x where x.member_id = m.id)
  or exists (select from notices x where x.member_id = m.id)
  or exists (select from activity_items x where x.member_id = m.id)
  or exists (select from activity_logs x where x.member_id = m.id)
  or exists (select from mails x where x.member_id = m.id)
  or exists (select from support_messages x where x.member_id = m.id)
  or exists (select from data_exports x where x.member_id = m.id)
  or exists (select from member_notes x where x.member_id = m.id)
  or exists (select from images x where x.owner_id = m.id)
  or exists (select from marketplace_consents x where x.member_id = m.id)
  or exists (select from idempotency_keys x where x.scope = m.id::text)
  or exists (select from pair_uses x where m.id in (x.lo, x.hi))
  or exists (select from owned_listings x where x.member_id = m.id)
  or exists (select from unusable_formats x where x.member_id = m.id)
  or exists (select from listing_reports x where x.member_id = m.id)
  or exists (select from conflicts x where m.id in (x.lo, x.hi))
  or exists (select from shops x where x.member_id = m.id)
  or exists (select from declarations x where m.id in (x.member_id, x.about_member_id))
  or exists (select from asking_hours x where x.member_id = m.id)
  or exists (select from identity_hashes x where x.member_id = m.id)
  or exists (select from carried_debts x where x.member_id = m.id)
  or exists (select from rings x where m.id = any(x.members))
  or exists (select from memberships x where x.member_id = m.id and (x.status in ('active', 'past_due')
    or x.paused_from is not null or x.card_last4 is not null))
  or exists (select from payer_cards x where x.member_id = m.id)
  or exists (select from checkouts x where x.member_id = m.id)
  or exists (select from products x where x.seller_id = m.id
    and (x.deleted_at is null or x.description is not null or x.image_id is not null
      or x.coupon_link not like '%erased.invalid/'))
  or exists (select from proofs x where x.uploader_id = m.id
    and (x.state = 'stored' or x.order_id is not null or x.file_key is not null
      or x.original_name is not null))
  or exists (select from review_queue x where x.status in ('queued', 'held', 'offered', 'in_review')
    and m.id in (x.seller_id, x.offered_to, x.reviewer_id))
  or exists (select from reviews x where m.id in (x.reviewer_id, x.seller_id)
    and x.status not in ('verified', 'lapsed'))
  or exists (select from reviews x where x.reviewer_id = m.id
    and (x.draft is not null or x.posted_link is not null))
  or exists (select from reports x where x.reporter_id = m.id
    and (x.explanation is not null or x.withdrawn_at is null and exists (select from cases c
      where c.id = x.case_id and c.state in ('open', 'second_look') and c.subject = 'review')))
  or exists (select from appeals x where x.member_id = m.id
    and (x.explanation is not null or x.decided_at is null))
  or exists (select from cases x where x.member_id = m.id and (x.stood_by is not null
    or x.state <> 'closed' and x.opened_at < m.erased_at)));

-- I36 no unmasked coupon in the activity log of two days, and nothing that looks like a secret in it or in a
-- message to our staff (the forms of kit/hidden-secrets.ts); a log of years would take longer than the time
-- allowed, and the worker looks every ten minutes
with secrets (form) as (select string_agg(line, '|') from (values
  ('(sk|rk|pk)_(live|test)_[0-9A-Za-z]{8,}'),
  ('whsec_[0-9A-Za-z+/]{8,}'),
  ('gh[pousr]_[0-9A-Za-z]{20,}'),
  ('AKIA[0-9A-Z]{16}'),
  ('eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]*'),
  ('-----BEGIN [A-Z ]*PRIVATE KEY'),
  ('[Bb]earer +[0-9A-Za-z._~+/-]{16,}'),
  ('[#=/][0-9A-Za-z_-]{43}(?![0-9A-Za-z_-])'),
  ('([Pp]ass(word|phrase|code)|PASSWORD)["'']? *[:=] *["'']?[^\s"'']{6,}["'']?'),
  ('([Tt]oken|[Ss]ecret|[Aa][Pp][Ii] ?[Kk]ey)["'']? *[:=] *["'']?[^\s"'']{6,}["'']?')) forms (line))
select id from activity_logs, secrets where created_at > clock_timestamp() - interval '2 days'
  and (metadata::text ~* '\?coupon=' or metadata::text ~ form)
union all select id from support_messages, secrets where created_at > clock_timestamp() - interval '2 days'
  and (subject ~ form or message ~ form);

-- I38 since the club has had an admin, it has one
select from role_changes where new_role = 'admin'
  and not exists (select from members where role = 'admin' and erased_at is null);

-- I38b every member's role is the one that was recorded last
select m.id from members m where m.role <> coalesce(
  (select c.new_role from role_changes c where c.member_id = m.id order by c.id desc limit 1), 'user');

-- I39 no mail has been waiting for a day
select id from mails where sent_at is null and failed_at is null
  and created_at < clock_timestamp() - interval '24 hours';

-- I41 one order number serves one review on its marketplace
select p.order_id from proofs p join reviews r on r.id = p.review_id where p.order_id is not null
  group by r.marketplace_id, p.order_id having count(distinct p.review_id) > 1;

-- I41b no hash of a proof's file is used again by another review, whatever became of the proof
select sha256 from proofs where sha256 is not null group by 1 having count(distinct review_id) > 1;

-- I42 a reserved former username belongs to no other member
select m.id from reserved_usernames r join members m on m.username = r.username
where r.reserved_until > clock_timestamp() and m.id is distinct from r.member_id;

-- P01 a pair is held exactly while one of the two has an open offer or review from the other
select p.lo from pair_uses p
where p.held <> (
  exists (select from offers o where o.state = 'open'
    and least(o.reviewer_id, o.seller_id) = p.lo and greatest(o.reviewer_id, o.seller_id) = p.hi)
  or exists (select from reviews r where r.status not in ('verified', 'lapsed')
    and least(r.reviewer_id, r.seller_id) = p.lo and greatest(r.reviewer_id, r.seller_id) = p.hi));

-- P02 a member's row names their open offer
select s.member_id from reviewer_states s left join offers o on o.reviewer_id = s.member_id
  and o.state = 'open'
where s.open_offer_id is distinct from o.id;

-- P03 a member who may not be asked is in no tier of the rotation
select member_id from reviewer_states where tier < 9 and (standing <> 'in' or open_offer_id is not null);

-- P04 with open requests and reviews counted, a balance falls below minus one only by a carried debt or a
-- correction
select s.member_id from reviewer_states s where s.balance - s.pending_take - s.open_requests < -1
  + coalesce((select sum(l.delta) from ledger_entries l where l.member_id = s.member_id
    and l.reason in ('carried', 'corrected') and l.delta < 0), 0);

-- P05 a member who is even owes nothing that a listing brought them
select c.id from carried_debts c join reviewer_states s using (member_id) where s.balance >= 0;

-- L01 a coupon link and the link to a posted review are on a host of their marketplace
select p.id from products p join marketplaces k on k.id = p.marketplace_id
where p.deleted_at is null
  and not '.' || lower(substring(p.coupon_link from '^https://([^/?#]+)')) like '%.' || k.host
union all select r.id from reviews r join marketplaces k on k.id = r.marketplace_id
where r.posted_link is not null
  and not '.' || lower(substring(r.posted_link from '^https://([^/?#]+)')) like '%.' || k.host;

-- L02 a listing is connected by one product at a time, which is on its marketplace and links to it, and whose
-- seller is not barred from it
select listing_id from products where deleted_at is null group by 1 having count(*) > 1
union all select p.id from products p join listings l on l.id = p.listing_id
where l.marketplace_id <> p.marketplace_id
  or (p.deleted_at is null and l.external_id not like 'product:%'
    and position(l.external_id in lower(p.coupon_link)) = 0)
union all select p.id from products p join barred_sellers b on b.listing_id = p.listing_id
  and b.member_id = p.seller_id where p.deleted_at is null;

-- L03 an open request is for the listing that its product connects, and a review for that of its request
select q.id from review_queue q join products p on p.id = q.product_id
where q.status in ('queued', 'held', 'offered', 'in_review') and q.listing_id <> p.listing_id
union all select r.id from reviews r join review_queue q on q.id = r.queue_id
where r.listing_id <> q.listing_id;

-- L04 until a review is completed, every request for a listing on one day has the same ticket, nonce and key
-- (A clock that is set back turns the times round, and a ticket may be used after a later one: both orders
-- have to say so.)
select listing_id, day from (
  select listing_id, day,
    lag(status) over made <> 'completed' and lag(lottery_day) over made = day
      and drawn is distinct from lag(drawn) over made as again_by_time,
    lag(status) over counted <> 'completed' and lag(lottery_day) over counted = day
      and drawn is distinct from lag(drawn) over counted as again_by_ticket
  from (select *, (created_at at time zone 'UTC')::date as day,
      (lottery_day, lottery_ticket, lottery_nonce, beacon_round, beacon_signature, lottery_key) as drawn
    from review_queue) q
  window made as (partition by listing_id order by created_at, id),
    counted as (partition by listing_id order by lottery_day, lottery_ticket, created_at, id)) t
group by listing_id, day having bool_or(again_by_time) and bool_or(again_by_ticket);

-- L05 no member is offered or reviews a listing that they sold before the request was made
select q.id from review_queue q join products p on p.listing_id = q.listing_id
where p.seller_id in (q.offered_to, q.reviewer_id) and p.created_at < q.created_at;

-- L06 a review began with an accepted offer, which keeps the product as it was offered
select r.id from reviews r where not exists (select from offers o where o.queue_id = r.queue_id
  and o.state = 'accepted' and o.snapshot ? 'title' and o.snapshot ? 'coupon_link');

-- L07 link, title, category and price of a product stay as they were offered until the review is done
select p.id from offers o join review_queue q on q.id = o.queue_id and q.status in ('offered', 'in_review')
  join products p on p.id = q.product_id
where o.state in ('open', 'accepted')
  and (p.coupon_link, p.title, p.category, p.price_cents) is distinct from (o.snapshot ->> 'coupon_link',
    o.snapshot ->> 'title', o.snapshot ->> 'category', (o.snapshot ->> 'price_cents')::int);

-- L08 no request was drawn before the round of its beacon, nor without its value before a minute had passed
select o.id from offers o join review_queue q on q.id = o.queue_id
where o.pass_id is not null and o.offered_at < q.beacon_from
  + case when q.beacon_signature is null then interval '60 seconds' else interval '6 seconds' end;

-- I60 the former versions of a marketplace's entry have the numbers before its own, without a gap
select k.id from marketplaces k left join marketplace_versions v on v.marketplace_id = k.id
  group by k.id, k.version having count(v.version) <> k.version - 1 or max(v.version) >= k.version;

-- I61 a closing that was not reopened belongs to a closed marketplace
select c.id from marketplace_closures c join marketplaces k on k.id = c.marketplace_id
where c.reopened_at is null and k.lane <> 'closed';

-- I62 a review that ended with a closing has no strike
select r.id from reviews r join strikes s on s.review_id = r.id where r.closure_id is not null;

-- M01 a review is held exactly while our staff looks at a report about it, or looks again
select r.id from reviews r where r.status = 'reviewed' and (r.held_at is not null) <> exists (
  select from cases c where c.review_id = r.id and (c.state = 'second_look' or c.state = 'open'
    and exists (select from reports x where x.case_id = c.id and x.withdrawn_at is null)));

-- M02 a returned review has a case that waits for its writer, and such a case a review that can be edited
select r.id from reviews r where r.status = 'returned'
  and not exists (select from cases c where c.review_id = r.id and c.state = 'returned')
union all select c.id from cases c join reviews r on r.id = c.review_id
where c.state = 'returned' and r.status not in ('returned', 'verified');

-- M03 no one decided about themselves, their own exchange, or an appeal against their own decision
select d.id from case_decisions d join cases c on c.id = d.case_id left join reviews r on r.id = c.review_id
where d.decided_by in (d.member_id, r.reviewer_id, r.seller_id) or exists (select from reports x
  where x.case_id = c.id and x.reporter_id = d.decided_by)
union all select a.id from appeals a join case_decisions d on d.id = a.decision_id
where a.decided_by in (a.member_id, d.member_id, d.decided_by);

-- M04 after the writer stood by a review, a second person decided
select d.id from case_decisions d join cases c on c.id = d.case_id
where c.stood_by_at < d.at and exists (select from case_decisions e where e.case_id = c.id
  and e.at < c.stood_by_at and e.decided_by = d.decided_by);

-- M05 a sanction is against the member whom its decision was about
select s.id from sanctions s join case_decisions d on d.id = s.decision_id where s.member_id <> d.member_id;

-- M06 a strike for a report is for one that was decided to have no basis
select s.id from strikes s join reports x on x.id = s.report_id
where x.reporter_id <> s.member_id or not exists (select from case_decisions d where d.case_id = x.case_id
  and d.unfounded);

-- F01 a flag is about what it names: the texts and proofs that were compared are of its two reviews. A text
-- that was never final goes with its writer
select f.id from flags f join review_versions v on v.review_id = f.review_id
  and v.version = (f.facts ->> 'version')::int
where f.kind = 'similar_text' and not exists (select from similar_texts t where t.review_id = f.review_id
  and t.version = v.version and t.similar_to is not distinct from f.other_review_id)
union all select f.id from flags f where f.kind = 'similar_proof' and not exists (select from similar_proofs s
  join proofs a on a.id = s.proof_id and a.review_id = f.review_id
  join proofs b on b.id = s.similar_to and b.review_id = f.other_review_id);

-- F02 a case that was opened from a flag says so, and is about the same review or listing
select f.id from flags f join cases c on c.id = f.case_id
where not c.flagged or case when f.review_id is null
  then c.subject <> 'listing' or c.listing_id is distinct from f.listing_id
  else c.review_id is distinct from f.review_id end;

-- F03 no one whom a flag names decided the case that was opened from it
select d.id from flags f join case_decisions d on d.case_id = f.case_id and d.at > f.closed_at
  left join reviews o on o.id = f.other_review_id
where d.decided_by in (f.member_id, o.reviewer_id, o.seller_id);

-- D01 the public list of the days is unbroken: numbers without a gap, each hash over its record and the one
-- before
select r.number from draw_records r left join draw_records b on b.number = r.number - 1
where (b.number is null and r.number <> 1) or r.previous_hash is distinct from b.hash
  or r.hash <> sha256(coalesce(r.previous_hash, decode(repeat('00', 32), 'hex')) || int8send(r.number)
    || case r.kind when 'committed' then '\x01'::bytea else '\x02'::bytea end
    || int8send((extract(epoch from r.day::timestamp) * 1000)::bigint)
    || int8send((extract(epoch from r.at) * 1000)::bigint) || r.value);

-- D02 a published hash is that of its day's secret, and a published secret is the day's
select r.number from draw_records r join lottery_days d on d.day = r.day
where d.secret_hash <> sha256(d.secret) or (r.kind = 'committed' and r.value <> d.secret_hash)
  or (r.kind = 'revealed' and substring(r.value for 32) <> d.secret);

-- D03 each pass is chained to the one before it
select p.id from match_passes p left join match_passes b on b.chain = p.chain and b.pass_no = p.pass_no - 1
where p.previous_hash is distinct from b.hash or (b.id is null and p.pass_no <> 1);

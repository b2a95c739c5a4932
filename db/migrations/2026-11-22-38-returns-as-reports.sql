-- Until now a seller's report returned the review at once. Each becomes a report with the case it would have
-- opened; those that the reviewer has not answered yet stay returned.
insert into cases (id, subject, review_id, product_id, listing_id, member_id, state, opened_at, answer_due_at,
  closed_at, closed_as)
select gen_random_uuid(), 'review', id, product_id, listing_id, reviewer_id,
  case when status = 'returned' then 'returned' else 'closed' end, returned_at, return_due_at,
  case when status <> 'returned' then greatest(returned_at, submitted_at) end,
  case when status = 'returned' then null when submitted_at > returned_at then 'edited' when status = 'lapsed'
    then 'missed' else 'ended' end
from reviews where returned_at is not null;
insert into reports (id, case_id, reporter_id, review_id, reason, explanation, version, created_at)
select gen_random_uuid(), c.id, r.seller_id, r.id, r.return_reason, nullif(r.return_explanation, ''), 1,
  r.returned_at
from reviews r join cases c on c.review_id = r.id where r.return_reason is not null;
alter table reviews drop column return_explanation;

-- Moderation: reports open cases, a person decides them, and whoever a decision is against may appeal to
-- another person. Rows stay as a record. Nothing here reads or holds a rating.

-- One question to our staff about one thing. Reports about the same thing while it is open join it.
create table cases (
  id uuid primary key,
  subject text not null check (subject in ('review', 'listing')),
  review_id uuid references reviews,
  product_id uuid not null references products,
  listing_id uuid not null references listings,
  -- Whom a decision would concern: the reviewer, or the seller of the listing.
  member_id uuid not null references members,
  -- returned: the reviewer edits or stands by it. second_look: they stand by it, so a second person decides.
  state text not null default 'open' check (state in ('open', 'returned', 'second_look', 'closed')),
  -- Whether an automatic check pointed it out. A person decides all the same.
  flagged boolean not null default false,
  opened_at timestamptz not null default clock_timestamp(),
  -- Until when our staff decide, while it is up to them.
  due_at timestamptz,
  assigned_to uuid references members,
  assigned_at timestamptz,
  -- Until when the reviewer answers a return.
  answer_due_at timestamptz,
  stood_by_at timestamptz,
  stood_by text check (length(stood_by) between 1 and 1000),
  closed_at timestamptz,
  -- ended: what it was about is over for another reason.
  closed_as text check (closed_as in ('decided', 'edited', 'missed', 'withdrawn', 'ended')),
  check ((subject = 'review') = (review_id is not null)),
  check ((state in ('open', 'second_look')) = (due_at is not null)),
  check ((state = 'returned') = (answer_due_at is not null)),
  check ((state = 'closed') = (closed_at is not null) and (closed_at is null) = (closed_as is null)),
  check ((assigned_to is null) = (assigned_at is null)),
  check (state <> 'second_look' or stood_by_at is not null)
);
create unique index cases_one_open_of_review on cases (review_id) where state <> 'closed' and subject = 'review';
create unique index cases_one_open_of_listing on cases (listing_id) where state <> 'closed' and subject = 'listing';
create index cases_due on cases (due_at, id) where due_at is not null;
create index cases_answer_due on cases (answer_due_at) where answer_due_at is not null;
create index cases_closed on cases (closed_at desc, id desc) where closed_at is not null;
create index cases_of_assigned on cases (assigned_to, due_at) where assigned_to is not null;
create index cases_of_review on cases (review_id) where review_id is not null;
create index cases_of_listing on cases (listing_id);
create index cases_of_member on cases (member_id, opened_at desc, id desc);

create table reports (
  id uuid primary key,
  case_id uuid not null references cases,
  reporter_id uuid not null references members,
  -- The exchange that the reporter is part of.
  review_id uuid not null references reviews,
  reason text not null check (reason in ('not_visible', 'other_product', 'no_use', 'copied', 'too_short',
    'disclosure_missing', 'personal_data', 'abusive', 'unlawful', 'broken', 'not_as_described', 'asks_for_stars',
    'rewards')),
  -- Empty once the reporter has left.
  explanation text check (length(explanation) between 1 and 1000),
  -- The version of the review that was reported.
  version integer,
  created_at timestamptz not null default clock_timestamp(),
  withdrawn_at timestamptz,
  unique (case_id, reporter_id)
);
create index reports_of_reporter on reports (reporter_id, created_at desc, id desc);
create index reports_of_review on reports (review_id);

create table case_decisions (
  id uuid primary key,
  case_id uuid not null references cases,
  n smallint not null check (n > 0),
  outcome text not null check (outcome in ('dismissed', 'returned', 'removed', 'sanctioned')),
  rule text check (rule in ('not_visible', 'other_product', 'no_use', 'copied', 'too_short', 'disclosure_missing',
    'personal_data', 'abusive', 'unlawful', 'broken', 'not_as_described', 'asks_for_stars', 'rewards')),
  -- What it is based on, in the words of who decided, as both sides may read it.
  findings text not null check (length(findings) between 1 and 2000),
  -- Null: the product by itself, because a deadline passed.
  decided_by uuid references members,
  at timestamptz not null default clock_timestamp(),
  -- Whom it is against or in favor of: the member of the case.
  member_id uuid not null references members,
  -- Whether the reports had no basis, which counts against those who made them.
  unfounded boolean not null default false,
  -- The statement of reasons, as the member of the case received it.
  statement jsonb not null,
  appeal_until timestamptz not null,
  overturned_at timestamptz,
  unique (case_id, n),
  check ((outcome = 'dismissed') = (rule is null)),
  check (not unfounded or outcome = 'dismissed')
);
create index case_decisions_at on case_decisions (at desc);
create index case_decisions_of_member on case_decisions (member_id, at desc, id desc);
create index case_decisions_by on case_decisions (decided_by) where decided_by is not null;

create table appeals (
  id uuid primary key,
  decision_id uuid not null references case_decisions,
  member_id uuid not null references members,
  explanation text check (length(explanation) between 1 and 2000),
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  assigned_to uuid references members,
  assigned_at timestamptz,
  outcome text check (outcome in ('upheld', 'overturned')),
  findings text check (length(findings) between 1 and 2000),
  statement jsonb,
  decided_by uuid references members,
  decided_at timestamptz,
  unique (decision_id, member_id),
  check ((assigned_to is null) = (assigned_at is null)),
  check ((outcome is null) = (decided_at is null) and (outcome is null) = (decided_by is null)
    and (outcome is null) = (findings is null) and (outcome is null) = (statement is null))
);
create index appeals_due on appeals (due_at, id) where decided_at is null;
create index appeals_of_member on appeals (member_id, created_at desc, id desc);
create index appeals_of_assigned on appeals (assigned_to) where assigned_to is not null and decided_at is null;

create table sanctions (
  id uuid primary key,
  member_id uuid not null references members,
  decision_id uuid not null unique references case_decisions,
  kind text not null check (kind in ('reminder', 'warning', 'suspension')),
  until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- Taken back by an appeal.
  lifted_at timestamptz,
  check ((kind = 'suspension') = (until is not null))
);
create index sanctions_of_member on sanctions (member_id, created_at desc);

-- A review is held while our staff look at a report: neither its seller nor time makes it final meanwhile. A
-- final review that is removed keeps its entries in the ledger.
alter table reviews add column held_at timestamptz,
  add column removed_at timestamptz,
  add constraint reviews_held check (held_at is null or status = 'reviewed'),
  add constraint reviews_removed check (removed_at is null or status = 'verified'),
  drop constraint reviews_return_reason_check,
  add constraint reviews_return_reason_check check (return_reason in ('not_visible', 'other_product', 'no_use',
    'copied', 'too_short', 'disclosure_missing', 'personal_data', 'abusive', 'unlawful')),
  drop constraint reviews_returns_check,
  add constraint reviews_returns_check check (returns >= 0);

-- A report without any basis counts like a missed review. An appeal withdraws a strike.
alter table strikes alter column review_id drop not null,
  add column report_id uuid unique references reports,
  add column withdrawn_at timestamptz,
  add constraint strikes_for_one_thing check ((review_id is null) <> (report_id is null));

-- A listing that our staff removed is connected by nobody until an appeal puts it back.
alter table listings add column removed_at timestamptz;

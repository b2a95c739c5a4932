-- Payments: what the payment partner says about a membership, and what was asked of the partner.

alter table memberships
  drop constraint memberships_status_check,
  add constraint memberships_status_check
    check (status in ('none', 'active', 'past_due', 'refunded', 'disputed', 'ended')),
  -- Cancelled: it ends at this moment, and can be kept until then.
  add column ends_at timestamptz,
  add column grace_until timestamptz,
  add column first_paid_at timestamptz,
  -- The price of the next period, in cents.
  add column renewal_cents integer,
  add column card_brand text,
  add column card_last4 text,
  -- The number of the latest look at the partner that was written here. An older look changes nothing.
  add column look bigint not null default 0,
  add constraint memberships_grace check (status <> 'past_due' or grace_until is not null);

create sequence membership_looks;

-- A payment page that was opened. One is open per member at a time.
create table checkouts (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  state text not null default 'open' check (state in ('open', 'completed', 'expired')),
  session_id text unique,
  url text,
  terms_version text not null,
  agreed_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  check ((state = 'open') = (ended_at is null))
);
create unique index checkouts_open on checkouts (member_id) where state = 'open';

-- Events of the partner, once each. They are hints: the worker asks the partner what is true.
create table stripe_events (
  id text primary key,
  type text not null,
  customer_id text,
  -- A dispute names a payment and no customer.
  payment_id text,
  created_at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  processed_at timestamptz
);
create index stripe_events_waiting on stripe_events (received_at) where processed_at is null;
create index stripe_events_received on stripe_events (received_at);

-- What is asked of the partner: written with the member's deed, carried out by a job.
create table membership_orders (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  kind text not null check (kind in ('cancel', 'keep', 'pause', 'resume', 'refund', 'end')),
  subscription_id text not null,
  -- Of a refund: the payment that is given back.
  payment_id text,
  until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  failed_at timestamptz,
  attempts integer not null default 0,
  -- When it is tried next.
  try_at timestamptz not null default clock_timestamp(),
  error text,
  check (done_at is null or failed_at is null)
);
create index membership_orders_member on membership_orders (member_id, created_at);
create index membership_orders_open on membership_orders (created_at) where done_at is null and failed_at is null;

create table invoices (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  stripe_invoice_id text not null unique,
  payment_id text,
  number text,
  status text not null check (status in ('open', 'paid', 'void', 'uncollectible')),
  total_cents integer not null check (total_cents >= 0),
  tax_cents integer not null check (tax_cents >= 0),
  refunded_cents integer not null default 0 check (refunded_cents >= 0 and refunded_cents <= total_cents),
  refunded_at timestamptz,
  made_at timestamptz not null,
  paid_at timestamptz,
  period_start timestamptz not null,
  period_end timestamptz not null,
  has_pdf boolean not null default false,
  check ((status = 'paid') = (paid_at is not null))
);
create index invoices_member on invoices (member_id, made_at, id);
create index invoices_paid on invoices (paid_at) where paid_at is not null;

create table disputes (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  stripe_dispute_id text not null unique,
  payment_id text not null,
  cents integer not null check (cents >= 0),
  reason text not null,
  status text not null,
  opened_at timestamptz not null,
  closed_at timestamptz
);
create index disputes_member on disputes (member_id);
create index disputes_open on disputes (opened_at) where closed_at is null;

-- Which members paid with the same card, as a keyed hash of the partner's fingerprint of it.
create table payer_cards (
  member_id uuid not null references members on delete cascade,
  card_hash bytea not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (member_id, card_hash)
);
create index payer_cards_card on payer_cards (card_hash, member_id);

-- Cards whose owner got a first payment back. They outlive the account, so that it happens once per person.
create table refunded_cards (
  card_hash bytea primary key,
  refunded_at timestamptz not null default clock_timestamp()
);

-- The history of a membership, as its member reads it.
create table membership_changes (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  kind text not null check (kind in ('granted', 'joined', 'renewed', 'payment_failed', 'recovered', 'cancelled',
    'kept', 'paused', 'resumed', 'refunded', 'disputed', 'dispute_won', 'ended')),
  -- What the change is about, such as an invoice, so that it is written once.
  key text not null,
  at timestamptz not null default clock_timestamp(),
  until timestamptz,
  unique (member_id, kind, key)
);
create index membership_changes_member on membership_changes (member_id, at, id);
create index membership_changes_time on membership_changes (at, kind);

-- The nightly comparison with the partner.
create table reconciliations (
  id uuid primary key,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  compared integer not null default 0,
  differences jsonb not null default '[]'
);
create index reconciliations_started on reconciliations (started_at);

create or replace view standings as
select member_id, erased, email_verified, username, suspended, membership_active, paused,
  case
    when erased or not email_verified or username is null or suspended or not membership_active then 'out'
    when paused then 'paused'
    else 'in'
  end as standing,
  -- The state as people read it. A pause comes before a cancellation, and both before a plain active.
  case
    when status in ('active', 'past_due') and ended then 'ended'
    when status <> 'active' then status
    when paused then 'paused'
    when ends_at is not null then 'cancelled'
    else 'active'
  end as membership_state
from (
  select m.id as member_id, m.erased_at is not null as erased, m.email_verified, m.username,
    m.suspended_at is not null and (m.suspended_until is null or m.suspended_until > statement_timestamp())
      as suspended,
    coalesce(s.status = 'active' or (s.status = 'past_due' and s.grace_until > statement_timestamp()), false)
      and (s.ends_at is null or s.ends_at > statement_timestamp()) as membership_active,
    coalesce(s.paused_from <= statement_timestamp() and s.paused_until > statement_timestamp(), false) as paused,
    coalesce(s.status, 'none') as status, s.ends_at, coalesce(s.ends_at <= statement_timestamp(), false) as ended
  from members m left join memberships s on s.member_id = m.id
) facts;

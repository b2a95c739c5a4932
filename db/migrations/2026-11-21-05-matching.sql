-- The rotation: who asks, who is asked, and the evidence of every draw.

-- One hot row per member. standing: whether the member may take part at all, kept from account and membership.
-- available_at: the latest of cooldown, day limit, week limit and strike, so that one comparison decides.
-- tier: 0 present, 1 absent, 2 stand-by, 9 not to be asked now. band: the order within a tier.
create table reviewer_states (
  member_id uuid primary key references members on delete cascade,
  standing text not null default 'out' check (standing in ('in', 'paused', 'out')),
  balance smallint not null default 0,
  pending_give smallint not null default 0 check (pending_give >= 0),
  pending_take smallint not null default 0 check (pending_take >= 0),
  open_requests smallint not null default 0 check (open_requests >= 0),
  give_first boolean not null default false,
  here_until timestamptz,
  last_seen_at timestamptz,
  standby boolean not null default false,
  cooldown_until timestamptz,
  last_decline_reset timestamptz,
  available_at timestamptz not null default '-infinity',
  open_offer_id uuid,
  turn_at timestamptz not null default clock_timestamp(),
  audit_key bytea not null check (length(audit_key) = 32),
  tier smallint not null default 9 check (tier in (0, 1, 2, 9)),
  band smallint not null generated always as (
    case
      when balance + pending_give >= 1 then least(balance + pending_give + 4, 8)
      else greatest(balance + pending_give - pending_take - open_requests, -2) + 2
    end
  ) stored
) with (fillfactor = 70);
create index reviewer_states_rotation on reviewer_states (tier, band, turn_at, member_id) where tier < 9;
create index reviewer_states_wake on reviewer_states (available_at) where tier = 9 and standing = 'in' and open_offer_id is null;
create index reviewer_states_here on reviewer_states (here_until) where tier = 0;
create index reviewer_states_seen on reviewer_states (last_seen_at) where tier = 1;

create table review_queue (
  id uuid primary key,
  product_id uuid not null,
  seller_id uuid not null references members,
  status text not null check (status in ('queued', 'held', 'offered', 'in_review', 'completed', 'cancelled', 'lapsed')),
  created_at timestamptz not null default clock_timestamp(),
  -- The place in the queue. A successor of a lapsed request inherits it.
  prio_at timestamptz not null,
  offered_to uuid references members,
  offered_at timestamptz,
  offer_expires_at timestamptz,
  reviewer_id uuid references members,
  accepted_at timestamptz,
  completed_at timestamptz,
  closed_at timestamptz,
  attempts integer not null default 0,
  nudged_at timestamptz,
  lottery_day date not null,
  lottery_ticket bigint not null,
  lottery_nonce bytea not null,
  lottery_commit bytea not null,
  lottery_key bytea not null,
  unique (id, product_id),
  foreign key (product_id, seller_id) references products (id, seller_id),
  check (offered_to is null or offered_to <> seller_id),
  check (reviewer_id is null or reviewer_id <> seller_id),
  constraint review_queue_queued check (
    status not in ('queued', 'held')
    or (offered_to is null and offered_at is null and offer_expires_at is null and reviewer_id is null
        and accepted_at is null and completed_at is null and closed_at is null)
  ),
  constraint review_queue_offered check (
    status <> 'offered'
    or (offered_to is not null and offered_at is not null and offer_expires_at > offered_at and reviewer_id is null
        and accepted_at is null and completed_at is null and closed_at is null)
  ),
  constraint review_queue_in_review check (
    status <> 'in_review'
    or (reviewer_id is not null and offered_to = reviewer_id and accepted_at is not null
        and completed_at is null and closed_at is null)
  ),
  constraint review_queue_completed check (
    status <> 'completed'
    or (reviewer_id is not null and accepted_at is not null and completed_at is not null and closed_at is null)
  ),
  constraint review_queue_cancelled check (status <> 'cancelled' or (closed_at is not null and completed_at is null)),
  constraint review_queue_lapsed check (
    status <> 'lapsed' or (reviewer_id is not null and accepted_at is not null and closed_at is not null and completed_at is null)
  )
) with (fillfactor = 60);
create unique index review_queue_one_open on review_queue (product_id) where status in ('queued', 'held', 'offered', 'in_review');
create unique index review_queue_one_offer on review_queue (offered_to) where status = 'offered';
create unique index review_queue_once on review_queue (product_id, reviewer_id) where status in ('in_review', 'completed');
create index review_queue_order on review_queue (prio_at, id) where status = 'queued';
create index review_queue_expiry on review_queue (offer_expires_at) where status = 'offered';
create index review_queue_newest on review_queue (product_id, created_at desc, id desc);
create index review_queue_seller on review_queue (seller_id) where status in ('queued', 'held', 'offered', 'in_review');
create index review_queue_completed_at on review_queue (completed_at) where status = 'completed';

create sequence lottery_tickets;

-- The secret of a day. Its hash may be shown from the day before, the secret itself from the day after.
create table lottery_days (
  day date primary key,
  secret bytea not null check (length(secret) = 32),
  secret_hash bytea not null check (length(secret_hash) = 32)
);

-- The evidence of one pass of the draw, chained to the pass before.
create table match_passes (
  id uuid primary key,
  chain text not null,
  pass_no bigint not null,
  at timestamptz not null,
  phase smallint not null check (phase in (0, 1, 2)),
  requests integer not null,
  candidates integer not null,
  matched integer not null,
  cut_band smallint,
  cut_turn timestamptz,
  list bytea not null,
  previous_hash bytea,
  hash bytea not null,
  unique (chain, pass_no)
);
create index match_passes_at on match_passes (at);

create table offers (
  id uuid primary key,
  queue_id uuid not null references review_queue,
  reviewer_id uuid not null references members,
  seller_id uuid not null references members,
  state text not null check (state in ('open', 'accepted', 'declined', 'expired', 'withdrawn')),
  live boolean not null,
  offered_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  seen_at timestamptz,
  responded_at timestamptz,
  reason text,
  pass_id uuid references match_passes deferrable initially deferred,
  slot integer,
  skipped jsonb not null default '[]',
  unique (id, reviewer_id),
  check (reviewer_id <> seller_id),
  check (expires_at > offered_at),
  check ((state = 'open') = (responded_at is null)),
  check (state <> 'accepted' or responded_at <= expires_at)
);
create unique index offers_one_open on offers (queue_id) where state = 'open';
create unique index offers_one_accepted on offers (queue_id) where state = 'accepted';
create unique index offers_one_per_member on offers (reviewer_id) where state = 'open';
create index offers_of_request on offers (queue_id, reviewer_id);
create index offers_of_reviewer on offers (reviewer_id, offered_at desc);
create index offers_expiry on offers (expires_at) where state = 'open';

alter table reviewer_states add constraint reviewer_states_open_offer
  foreign key (open_offer_id) references offers deferrable initially deferred;

-- Whoever holds a pair's row may make the offer: "no trade back and forth" is this one key.
create table pair_uses (
  lo uuid not null references members on delete cascade,
  hi uuid not null references members on delete cascade,
  held boolean not null,
  last_at timestamptz,
  last_reviewer_id uuid,
  primary key (lo, hi),
  check (lo < hi)
);
create index pair_uses_hi on pair_uses (hi);

create table decline_history (
  id uuid primary key,
  reviewer_id uuid not null references members,
  offer_id uuid not null unique,
  reason text,
  counted boolean not null,
  cooldown_applied_minutes integer not null check (cooldown_applied_minutes >= 0),
  created_at timestamptz not null default clock_timestamp(),
  foreign key (offer_id, reviewer_id) references offers (id, reviewer_id),
  check (counted or cooldown_applied_minutes = 0)
);
create index decline_history_of on decline_history (reviewer_id, created_at desc);

-- The pair window and the club's figures it follows from; one row, refreshed hourly, published.
create table rotation_figures (
  one boolean primary key default true check (one),
  members integer not null default 0,
  weekly_rate real not null default 0,
  pair_window_days integer default 14,
  typical_wait_hours real,
  refreshed_at timestamptz not null default '-infinity'
);
insert into rotation_figures default values;

-- Who is a member, since when and until when.

create table memberships (
  member_id uuid primary key references members on delete cascade,
  status text not null default 'none' check (status in ('none', 'active', 'past_due', 'ended')),
  source text check (source in ('demo', 'stripe', 'grant')),
  current_period_end timestamptz,
  paused_from timestamptz,
  paused_until timestamptz,
  stripe_customer_id text unique,
  stripe_subscription_id text unique,
  started_at timestamptz,
  updated_at timestamptz not null default clock_timestamp(),
  check (status <> 'active' or (source is not null and current_period_end is not null)),
  check ((paused_from is null) = (paused_until is null)),
  constraint memberships_pause check (paused_until > paused_from and paused_until - paused_from <= interval '720 hours')
);
create index memberships_period_end on memberships (current_period_end) where status = 'active';

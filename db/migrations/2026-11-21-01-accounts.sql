-- People, how they sign in, and what they are allowed to be.

create extension if not exists pg_trgm;

create table members (
  id uuid primary key,
  email text not null check (email = lower(email) and length(email) between 3 and 254 and email !~ '[[:space:][:cntrl:]]'),
  email_verified boolean not null default false,
  username text check (username ~ '^[a-z][a-z0-9_-]{2,19}$'),
  display_name text not null default '' check (length(display_name) <= 80),
  full_name text check (length(full_name) <= 80),
  image text,
  role text not null default 'user' check (role in ('user', 'support', 'admin')),
  suspended_at timestamptz,
  erased_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index members_email_key on members (lower(email));
create unique index members_username_key on members (lower(username));

-- expires_at is the absolute end, set once; last_seen_at carries the idle limit.
create table sessions (
  id uuid primary key,
  token text not null unique,
  member_id uuid not null references members on delete cascade,
  expires_at timestamptz not null,
  last_seen_at timestamptz not null default clock_timestamp(),
  ip_address text,
  user_agent text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint sessions_absolute_end check (expires_at - created_at <= interval '30 days 1 minute')
);
create index sessions_member_id on sessions (member_id);

-- A password or a provider's account. pending_hash ties a password to the browser that signed up with it.
create table login_methods (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  pending_hash bytea,
  access_token text check (access_token is null),
  refresh_token text check (refresh_token is null),
  id_token text check (id_token is null),
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (provider_id, account_id)
);
create unique index login_methods_one_password on login_methods (member_id) where provider_id = 'credential';

-- Kept by the sign-in library for flows of its own.
create table sign_in_states (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index sign_in_states_identifier on sign_in_states (identifier);

-- Secrets that travel by mail. Only their hash is kept; a newer one of the same purpose replaces the older.
create table one_time_secrets (
  hash bytea primary key check (length(hash) = 32),
  member_id uuid not null references members on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'reset_password', 'change_email')),
  data jsonb,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  unique (member_id, purpose)
);

-- What was done, by whom, from where: for members' safety and the staff's eyes.
create table activity_logs (
  id uuid primary key,
  member_id uuid references members on delete set null,
  action text not null check (action ~ '^[a-z][a-z_]*$'),
  metadata jsonb not null default '{}',
  ip_address text,
  user_agent text check (length(user_agent) <= 400),
  created_at timestamptz not null default clock_timestamp()
);
create index activity_logs_created on activity_logs (created_at desc, id desc);
create index activity_logs_member on activity_logs (member_id, created_at desc);

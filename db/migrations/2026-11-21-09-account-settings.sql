-- Everything a member can set about the account: the picture, how dates are written, a change of address or username, further ways to
-- sign in, what one is told by which channel, the archive of one's data, and the end of it all.

alter table members
  add column two_factor_enabled boolean not null default false,
  add column avatar_key text check (avatar_key ~ '^[0-9a-f]{32}$'),
  add column locale text not null default 'en-US' check (locale in ('en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IN')),
  add column time_zone text check (length(time_zone) between 1 and 64),
  add column username_changed_at timestamptz;

-- Until when the owner's proof of who they are counts. A new session is fresh, and so is one whose owner has just proved it again.
alter table sessions add column confirmed_at timestamptz not null default clock_timestamp();

-- Names that were given up. The one who had it may take it back; nobody else may have it until then. Without an owner: an erased one's.
create table reserved_usernames (
  username text primary key check (username ~ '^[a-z][a-z0-9_-]{2,19}$'),
  member_id uuid references members on delete set null,
  reserved_until timestamptz not null
);
create index reserved_usernames_member_id on reserved_usernames (member_id);

-- One change of address under way per member. Each of the two mailboxes has a secret of its own, of which the hash is kept.
create table email_changes (
  member_id uuid primary key references members on delete cascade,
  new_email text not null check (new_email = lower(new_email) and length(new_email) between 3 and 254 and new_email !~ '[[:space:][:cntrl:]]'),
  old_hash bytea not null unique check (length(old_hash) = 32),
  new_hash bytea not null unique check (length(new_hash) = 32),
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);

-- Kept by the sign-in library: the secret of an authenticator app and the recovery codes, both encrypted.
create table two_factor_secrets (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean default true,
  failed_verification_count integer default 0,
  locked_until timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create unique index two_factor_secrets_member_id on two_factor_secrets (member_id);

-- Kept by the sign-in library, but for the last use.
create table passkeys (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  name text check (length(name) <= 60),
  public_key text not null,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index passkeys_member_id on passkeys (member_id);

-- What a member wants to be told, and how. A kind that is not there has the defaults of the contract.
create table notice_preferences (
  member_id uuid not null references members on delete cascade,
  kind text not null check (kind in ('offers', 'writing', 'receiving', 'membership')),
  in_app boolean not null,
  by_email boolean not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (member_id, kind)
);

-- The archive of what is kept about a member: made by a job, downloaded once, by its owner, within a day.
create table data_exports (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  state text not null default 'preparing' check (state in ('preparing', 'ready', 'downloaded', 'expired', 'failed')),
  hash bytea unique check (length(hash) = 32),
  file_key text,
  bytes bigint,
  requested_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  check ((state = 'ready') = (file_key is not null and hash is not null)),
  check (state <> 'ready' or expires_at is not null)
);
create unique index data_exports_one_open on data_exports (member_id) where state in ('preparing', 'ready');

-- Who was erased, for doing it again after a restore: the id alone says nothing.
create table erasures (
  member_id uuid primary key,
  erased_at timestamptz not null default clock_timestamp()
);

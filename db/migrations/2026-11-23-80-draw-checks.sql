-- What anyone needs to check a draw: tickets that are taken before the nonce is sent, and the public list of
-- the days' secrets.

-- A ticket whose commitment a seller has got, until their request uses it or its day ends.
create table taken_tickets (
  listing_id uuid not null references listings on delete cascade,
  seller_id uuid not null references members on delete cascade,
  day date not null references lottery_days,
  ticket bigint not null unique,
  primary key (listing_id, seller_id)
);
create index taken_tickets_seller on taken_tickets (seller_id);
create index taken_tickets_day on taken_tickets (day);

-- The public list. A day's secret is committed to before the day and revealed after it, with a hash over the
-- day's passes. Each record is chained to the one before. value: the hash of the secret, or the secret, the
-- number of passes (8 bytes) and their hash.
create table draw_records (
  number bigint primary key check (number > 0),
  kind text not null check (kind in ('committed', 'revealed')),
  day date not null references lottery_days,
  value bytea not null check (length(value) = case kind when 'committed' then 32 else 72 end),
  at timestamptz not null default clock_timestamp(),
  previous_hash bytea check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  unique (day, kind),
  check ((previous_hash is null) = (number = 1))
);

create function refuse_change_of_published() returns trigger language plpgsql as $$
begin
  raise exception 'What was published is never changed.' using errcode = 'restrict_violation';
end $$;
create trigger draw_records_append_only before update or delete on draw_records
  for each row execute function refuse_change_of_published();

-- The secret of a day stays as it was committed to.
create function refuse_change_of_committed_day() returns trigger language plpgsql as $$
begin
  if exists (select from draw_records r where r.day = old.day) then
    raise exception 'The secret of a day that was committed to is never changed.' using errcode = 'restrict_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger lottery_days_committed before update or delete on lottery_days
  for each row execute function refuse_change_of_committed_day();

-- Lists are kept for half a year, hashes forever.
alter table match_passes alter column list drop not null;
create index match_passes_listed on match_passes (at) where list is not null;

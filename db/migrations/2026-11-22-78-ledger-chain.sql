-- The ledger as a chain: each entry is a link with the next number and a hash over the link before it. What a
-- link shows of an entry names no member: its owner is a salted hash of a key that ends with the account.

create function refuse_change_of_ledger() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is a record: it is neither changed nor deleted';
end $$;
create trigger ledger_entries_stay before update or delete on ledger_entries
  for each row execute function refuse_change_of_ledger();

create table ledger_chain (
  seq bigint primary key check (seq > 0),
  entry_id uuid not null unique references ledger_entries,
  salt bytea not null check (length(salt) = 16),
  owner bytea not null check (length(owner) = 32),
  details bytea not null check (length(details) = 32),
  leaf bytea not null check (length(leaf) = 32),
  hash bytea not null check (length(hash) = 32)
);
create trigger ledger_chain_stays before update or delete on ledger_chain
  for each row execute function refuse_change_of_ledger();

-- What is published: each seal covers the links after the one before, under one root, and is chained itself.
create table ledger_seals (
  number integer primary key check (number > 0),
  day date not null,
  last_seq bigint not null unique references ledger_chain,
  entries integer not null check (entries > 0),
  sum integer not null,
  salt bytea not null check (length(salt) = 32),
  root bytea not null check (length(root) = 32),
  head bytea not null check (length(head) = 32),
  hash bytea not null check (length(hash) = 32),
  sealed_at timestamptz not null default clock_timestamp()
);
create trigger ledger_seals_stay before update or delete on ledger_seals
  for each row execute function refuse_change_of_ledger();

-- The key that stands for a member in the ledger; null for members who were erased.
create function ledger_key(member uuid) returns bytea language sql stable as $$
  select sha256('ledger'::bytea || s.audit_key) from reviewer_states s join members m on m.id = s.member_id
  where s.member_id = member and m.erased_at is null
$$;
create function ledger_details(salt bytea, e ledger_entries) returns bytea language sql stable as $$
  select sha256(salt || convert_to(concat_ws('|', e.id, coalesce(e.review_id::text, '-'),
    coalesce(e.corrects::text, '-'), to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')), 'UTF8'))
$$;
create function ledger_leaf(e ledger_entries, owner bytea, details bytea) returns bytea language sql stable as $$
  select sha256(convert_to(concat_ws(E'\n', 'evenhand-ledger-entry/1',
    to_char(e.at at time zone 'UTC', 'YYYY-MM-DD'), e.reason, e.delta::text,
    encode(owner, 'hex'), encode(details, 'hex')), 'UTF8'))
$$;
create function ledger_link(previous bytea, seq bigint, leaf bytea) returns bytea language sql immutable as $$
  select sha256(coalesce(previous, decode(repeat('00', 32), 'hex')) || int8send(seq) || leaf)
$$;

-- Adds the link of an entry. The lock is the last one that a transaction takes, and is held while it commits.
create function chain_ledger_entry() returns trigger language plpgsql as $$
declare
  last ledger_chain;
  next bigint;
  salt bytea := uuid_send(gen_random_uuid());
  owner bytea;
  details bytea;
  leaf bytea;
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger-chain', 0));
  select * into last from ledger_chain order by seq desc limit 1;
  next := coalesce(last.seq, 0) + 1;
  owner := sha256(salt || case when new.member_id is null then 'club'::bytea
    else coalesce(ledger_key(new.member_id), uuid_send(gen_random_uuid())) end);
  details := ledger_details(salt, new);
  leaf := ledger_leaf(new, owner, details);
  insert into ledger_chain values
    (next, new.id, salt, owner, details, leaf, ledger_link(last.hash, next, leaf));
  return null;
end $$;
create constraint trigger ledger_entries_chain after insert on ledger_entries
  deferrable initially deferred for each row execute function chain_ledger_entry();

-- The entries until now, in their order. The chain says nothing about changes before today.
do $$
declare
  e ledger_entries;
  last bytea;
  next bigint := 0;
  salt bytea;
  owner bytea;
  details bytea;
begin
  for e in select * from ledger_entries order by at, id loop
    next := next + 1;
    salt := uuid_send(gen_random_uuid());
    owner := sha256(salt || case when e.member_id is null then 'club'::bytea
      else coalesce(ledger_key(e.member_id), uuid_send(gen_random_uuid())) end);
    details := ledger_details(salt, e);
    last := ledger_link(last, next, ledger_leaf(e, owner, details));
    insert into ledger_chain values (next, e.id, salt, owner, details, ledger_leaf(e, owner, details), last);
  end loop;
end $$;

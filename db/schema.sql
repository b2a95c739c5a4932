-- Written from a migrated database after each migration. Read it; change it by a new migration.

create sequence lottery_tickets;

create sequence membership_looks;

create sequence role_changes_id_seq;

CREATE OR REPLACE FUNCTION activity_text(action text, metadata jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((action || '
'::text) || replace(action, '_'::text, ' '::text)) || '
'::text) || lower((metadata)::text));

CREATE OR REPLACE FUNCTION chain_ledger_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION keep_passages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    delete from review_passages where hash = any(passages_of(old.body)) and review_id = new.id;
  end if;
  if new.body is not null then
    insert into review_passages (hash, review_id) select unnest(passages_of(new.body)), new.id
      on conflict do nothing;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION known_zone(zone text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  perform now() at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end $function$;

CREATE OR REPLACE FUNCTION ledger_details(salt bytea, e ledger_entries)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(salt || convert_to(concat_ws('|', e.id, coalesce(e.review_id::text, '-'),
    coalesce(e.corrects::text, '-'), to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')), 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION ledger_key(member uuid)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256('ledger'::bytea || s.audit_key) from reviewer_states s join members m on m.id = s.member_id
  where s.member_id = member and m.erased_at is null
$function$;

CREATE OR REPLACE FUNCTION ledger_leaf(e ledger_entries, owner bytea, details bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(concat_ws(E'\n', 'evenhand-ledger-entry/1',
    to_char(e.at at time zone 'UTC', 'YYYY-MM-DD'), e.reason, e.delta::text,
    encode(owner, 'hex'), encode(details, 'hex')), 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION ledger_link(previous bytea, seq bigint, leaf bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select sha256(coalesce(previous, decode(repeat('00', 32), 'hex')) || int8send(seq) || leaf)
$function$;

CREATE OR REPLACE FUNCTION lower_tags(tags text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT COALESCE(array_agg(lower(tag.tag)), '{}'::text[]) AS "coalesce" FROM unnest(lower_tags.tags) tag(tag));

CREATE OR REPLACE FUNCTION member_letters(email text, full_name text, role text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT array_agg(DISTINCT substr(of_member.text, place.place, size.size)) AS array_agg FROM (((SELECT member_text(member_letters.email, member_letters.full_name, member_letters.role) AS text) of_member CROSS JOIN LATERAL generate_series(1, length(of_member.text)) place(place)) CROSS JOIN generate_series(1, 2) size(size)));

CREATE OR REPLACE FUNCTION member_text(email text, full_name text, role text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((email || '
'::text) || lower(COALESCE(full_name, ''::text))) || '
'::text) || role);

CREATE OR REPLACE FUNCTION passages_of(body text)
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  with of_text as materialized (
    select convert_to(regexp_replace(lower(body), '[^[:alnum:]]+', '', 'g'), 'UTF8') as plain
  )
  select coalesce(array_agg(hash), '{}') from (
    select distinct ('x' || left(md5(substring(plain from at for 12)), 8))::bit(32)::int as hash
    from of_text, generate_series(1, greatest(1, length(plain) - 11)) at
    order by hash limit 32
  ) of_body
$function$;

CREATE OR REPLACE FUNCTION product_snapshot(p products)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('title', p.title, 'category', p.category, 'format', p.format, 'description', p.description,
    'tags', p.tags, 'price_cents', p.price_cents, 'coupon_cents', p.coupon_cents, 'coupon_link', p.coupon_link,
    'image_id', p.image_id)
$function$;

CREATE OR REPLACE FUNCTION product_text(title text, tags text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower(((title || '
'::text) || COALESCE((SELECT string_agg(tag.tag, '
'::text) AS string_agg FROM unnest(product_text.tags) tag(tag)), ''::text)));

CREATE OR REPLACE FUNCTION quiet_period(at timestamp with time zone, days smallint[], from_minute integer, until_minute integer, zone text)
 RETURNS tstzrange
 LANGUAGE sql
 STABLE
AS $function$
  select gap from unnest(
    tstzmultirange(tstzrange(at - interval '24 hours', at + interval '216 hours')) - (
      select range_agg(tstzrange(begins, greatest(begins, ends))) from (
        select (day + make_interval(mins => from_minute)) at time zone zone as begins,
          (day + make_interval(mins => until_minute, days => (until_minute <= from_minute)::int)) at time zone zone as ends
        from generate_series(date_trunc('day', at at time zone zone) - interval '2 days',
          date_trunc('day', at at time zone zone) + interval '11 days', interval '1 day') day
        where extract(isodow from day) = any(days)
      ) asking
    )) gap
  where upper(gap) > at order by lower(gap) limit 1
$function$;

CREATE OR REPLACE FUNCTION record_role_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into role_changes (member_id, old_role, new_role, actor_id)
  values (new.id, case when tg_op = 'INSERT' then 'user' else old.role end, new.role,
    nullif(current_setting('evenhand.actor', true), '')::uuid);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION refuse_change_of_committed_day()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from draw_records r where r.day = old.day) then
    raise exception 'The secret of a day that was committed to is never changed.' using errcode = 'restrict_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $function$;

CREATE OR REPLACE FUNCTION refuse_change_of_ledger()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the ledger is a record: it is neither changed nor deleted';
end $function$;

CREATE OR REPLACE FUNCTION refuse_change_of_published()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'What was published is never changed.' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION refuse_change_of_staff_action()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a staff action is a record: it is neither changed nor deleted';
end $function$;

CREATE OR REPLACE FUNCTION refuse_erased_member()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare gone timestamptz;
begin
  select erased_at into gone from members where id = (to_jsonb(new) ->> tg_argv[0])::uuid for share;
  if gone is not null then
    raise exception 'this member was erased' using errcode = 'foreign_key_violation', constraint = 'member_lives';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION skip_time_on_hold()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status = 'held' then
    new.held_at := clock_timestamp();
  else
    new.waiting_since := coalesce(new.waiting_since, new.asked_at, new.created_at)
      + (clock_timestamp() - least(clock_timestamp(),
        greatest(coalesce(old.held_at, clock_timestamp()), old.waits_until)));
    new.held_at := null;
  end if;
  return new;
end $function$;

create table activity_items (
  id uuid not null,
  member_id uuid not null,
  dedupe_key text not null,
  type text not null,
  title text not null,
  description text not null,
  status text not null,
  href text,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint activity_items_pkey PRIMARY KEY (id),
  constraint activity_items_href_check CHECK (href ~~ '/%'::text),
  constraint activity_items_member_id_dedupe_key_key UNIQUE (member_id, dedupe_key),
  constraint activity_items_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint activity_items_status_check CHECK (status = ANY (ARRAY['success'::text, 'error'::text, 'pending'::text, 'info'::text])),
  constraint activity_items_type_check CHECK (type = ANY (ARRAY['reviews'::text, 'matching'::text, 'billing'::text]))
);
CREATE INDEX activity_items_of ON activity_items USING btree (member_id, created_at DESC, id DESC);
CREATE INDEX activity_items_of_type ON activity_items USING btree (member_id, type, created_at DESC, id DESC);

create table activity_logs (
  id uuid not null,
  member_id uuid,
  action text not null,
  metadata jsonb not null default '{}'::jsonb,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint activity_logs_pkey PRIMARY KEY (id),
  constraint activity_logs_action_check CHECK (action ~ '^[a-z][a-z_]*$'::text),
  constraint activity_logs_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE SET NULL,
  constraint activity_logs_user_agent_check CHECK (length(user_agent) <= 400)
);
CREATE INDEX activity_logs_by_action ON activity_logs USING btree (action, created_at DESC, id DESC);
CREATE INDEX activity_logs_created ON activity_logs USING btree (created_at DESC, id DESC);
CREATE INDEX activity_logs_member ON activity_logs USING btree (member_id, created_at DESC);
CREATE INDEX activity_logs_networks ON activity_logs USING btree (created_at) WHERE (COALESCE(ip_address, user_agent) IS NOT NULL);
CREATE INDEX activity_logs_text ON activity_logs USING gin (activity_text(action, metadata) gin_trgm_ops);

create table appeals (
  id uuid not null,
  decision_id uuid not null,
  member_id uuid not null,
  explanation text,
  created_at timestamp with time zone not null default clock_timestamp(),
  due_at timestamp with time zone not null,
  assigned_to uuid,
  assigned_at timestamp with time zone,
  outcome text,
  findings text,
  statement jsonb,
  decided_by uuid,
  decided_at timestamp with time zone,
  constraint appeals_pkey PRIMARY KEY (id),
  constraint appeals_assigned_to_fkey FOREIGN KEY (assigned_to) REFERENCES members(id),
  constraint appeals_check CHECK ((assigned_to IS NULL) = (assigned_at IS NULL)),
  constraint appeals_check1 CHECK ((outcome IS NULL) = (decided_at IS NULL) AND (outcome IS NULL) = (decided_by IS NULL) AND (outcome IS NULL) = (findings IS NULL) AND (outcome IS NULL) = (statement IS NULL)),
  constraint appeals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES members(id),
  constraint appeals_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES case_decisions(id),
  constraint appeals_decision_id_member_id_key UNIQUE (decision_id, member_id),
  constraint appeals_explanation_check CHECK (length(explanation) >= 1 AND length(explanation) <= 2000),
  constraint appeals_findings_check CHECK (length(findings) >= 1 AND length(findings) <= 2000),
  constraint appeals_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  constraint appeals_outcome_check CHECK (outcome = ANY (ARRAY['upheld'::text, 'overturned'::text]))
);
CREATE INDEX appeals_assigned ON appeals USING btree (assigned_to) WHERE (assigned_to IS NOT NULL);
CREATE INDEX appeals_decided_by ON appeals USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE INDEX appeals_due ON appeals USING btree (due_at, id) WHERE (decided_at IS NULL);
CREATE INDEX appeals_of_assigned ON appeals USING btree (assigned_to) WHERE ((assigned_to IS NOT NULL) AND (decided_at IS NULL));
CREATE INDEX appeals_of_member ON appeals USING btree (member_id, created_at DESC, id DESC);

create table ask_alerts (
  product_id uuid not null,
  member_id uuid not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint ask_alerts_pkey PRIMARY KEY (product_id),
  constraint ask_alerts_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  constraint ask_alerts_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id)
);
CREATE INDEX ask_alerts_of ON ask_alerts USING btree (member_id, created_at);

create table asking_hours (
  member_id uuid not null,
  days smallint[] not null,
  from_minute smallint not null,
  until_minute smallint not null,
  time_zone text not null,
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint asking_hours_pkey PRIMARY KEY (member_id),
  constraint asking_hours_days_check CHECK (days <@ '{1,2,3,4,5,6,7}'::smallint[] AND cardinality(days) >= 1 AND cardinality(days) <= 7),
  constraint asking_hours_from_minute_check CHECK (from_minute >= 0 AND from_minute <= 1439),
  constraint asking_hours_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint asking_hours_time_zone_check CHECK (length(time_zone) >= 1 AND length(time_zone) <= 64),
  constraint asking_hours_until_minute_check CHECK (until_minute >= 0 AND until_minute <= 1439)
);
CREATE TRIGGER asking_hours_member_lives BEFORE INSERT ON asking_hours FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table backups (
  id uuid not null,
  snapshot_at timestamp with time zone not null,
  finished_at timestamp with time zone not null default clock_timestamp(),
  bytes bigint not null,
  rows bigint not null,
  files integer not null,
  encrypted boolean not null,
  constraint backups_pkey PRIMARY KEY (id),
  constraint backups_bytes_check CHECK (bytes > 0),
  constraint backups_files_check CHECK (files >= 0),
  constraint backups_rows_check CHECK (rows >= 0)
);
CREATE INDEX backups_latest ON backups USING btree (snapshot_at DESC);

create table barred_sellers (
  listing_id uuid not null,
  member_id uuid not null,
  product_id uuid,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint barred_sellers_pkey PRIMARY KEY (listing_id, member_id),
  constraint barred_sellers_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  constraint barred_sellers_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  constraint barred_sellers_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id)
);
CREATE INDEX barred_sellers_of ON barred_sellers USING btree (member_id);
CREATE INDEX barred_sellers_product ON barred_sellers USING btree (product_id);

create table beacon_chains (
  hash bytea not null,
  public_key bytea not null,
  period integer not null,
  genesis bigint not null,
  seed bytea not null,
  name text not null,
  constraint beacon_chains_pkey PRIMARY KEY (hash),
  constraint beacon_chains_genesis_check CHECK (genesis >= 0),
  constraint beacon_chains_hash_check CHECK (length(hash) = 32),
  constraint beacon_chains_period_check CHECK (period > 0),
  constraint beacon_chains_public_key_check CHECK (length(public_key) = 96),
  constraint beacon_chains_seed_check CHECK (length(seed) = 32)
);

create table bounced_addresses (
  address text not null,
  bounced_at timestamp with time zone not null default clock_timestamp(),
  constraint bounced_addresses_pkey PRIMARY KEY (address),
  constraint bounced_addresses_address_check CHECK (address = lower(address) AND length(address) <= 254)
);

create table carried_debts (
  id uuid not null,
  member_id uuid not null,
  listing_id uuid not null,
  hashes bytea[] not null,
  listing_hashes bytea[] not null,
  owed smallint not null,
  kept_until date not null,
  constraint carried_debts_pkey PRIMARY KEY (id),
  constraint carried_debts_hashes_check CHECK (cardinality(hashes) > 0),
  constraint carried_debts_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  constraint carried_debts_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint carried_debts_owed_check CHECK (owed > 0)
);
CREATE INDEX carried_debts_hashes ON carried_debts USING gin (hashes);
CREATE INDEX carried_debts_kept_until ON carried_debts USING btree (kept_until);
CREATE INDEX carried_debts_listing_hashes ON carried_debts USING gin (listing_hashes);
CREATE INDEX carried_debts_of ON carried_debts USING btree (member_id);
CREATE INDEX carried_debts_on ON carried_debts USING btree (listing_id);
CREATE TRIGGER carried_debts_member_lives BEFORE INSERT ON carried_debts FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table case_decisions (
  id uuid not null,
  case_id uuid not null,
  n smallint not null,
  outcome text not null,
  rule text,
  findings text not null,
  decided_by uuid,
  at timestamp with time zone not null default clock_timestamp(),
  member_id uuid not null,
  unfounded boolean not null default false,
  statement jsonb not null,
  appeal_until timestamp with time zone not null,
  overturned_at timestamp with time zone,
  constraint case_decisions_pkey PRIMARY KEY (id),
  constraint case_decisions_case_id_fkey FOREIGN KEY (case_id) REFERENCES cases(id),
  constraint case_decisions_case_id_n_key UNIQUE (case_id, n),
  constraint case_decisions_check CHECK ((outcome = 'dismissed'::text) = (rule IS NULL)),
  constraint case_decisions_check1 CHECK (NOT unfounded OR outcome = 'dismissed'::text),
  constraint case_decisions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES members(id),
  constraint case_decisions_findings_check CHECK (length(findings) >= 1 AND length(findings) <= 2000),
  constraint case_decisions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  constraint case_decisions_n_check CHECK (n > 0),
  constraint case_decisions_outcome_check CHECK (outcome = ANY (ARRAY['dismissed'::text, 'returned'::text, 'removed'::text, 'sanctioned'::text])),
  constraint case_decisions_rule_check CHECK (rule = ANY (ARRAY['not_visible'::text, 'other_product'::text, 'not_bought'::text, 'no_use'::text, 'copied'::text, 'too_short'::text, 'disclosure_missing'::text, 'personal_data'::text, 'abusive'::text, 'unlawful'::text, 'broken'::text, 'not_as_described'::text, 'not_theirs'::text, 'asks_for_stars'::text, 'rewards'::text]))
);
CREATE INDEX case_decisions_at ON case_decisions USING btree (at DESC);
CREATE INDEX case_decisions_by ON case_decisions USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE INDEX case_decisions_of_member ON case_decisions USING btree (member_id, at DESC, id DESC);

create table cases (
  id uuid not null,
  subject text not null,
  review_id uuid,
  product_id uuid not null,
  listing_id uuid not null,
  member_id uuid not null,
  state text not null default 'open'::text,
  flagged boolean not null default false,
  opened_at timestamp with time zone not null default clock_timestamp(),
  due_at timestamp with time zone,
  assigned_to uuid,
  assigned_at timestamp with time zone,
  answer_due_at timestamp with time zone,
  stood_by_at timestamp with time zone,
  stood_by text,
  closed_at timestamp with time zone,
  closed_as text,
  constraint cases_pkey PRIMARY KEY (id),
  constraint cases_assigned_to_fkey FOREIGN KEY (assigned_to) REFERENCES members(id),
  constraint cases_check CHECK ((subject = 'review'::text) = (review_id IS NOT NULL)),
  constraint cases_check1 CHECK ((state = ANY (ARRAY['open'::text, 'second_look'::text])) = (due_at IS NOT NULL)),
  constraint cases_check2 CHECK ((state = 'returned'::text) = (answer_due_at IS NOT NULL)),
  constraint cases_check3 CHECK ((state = 'closed'::text) = (closed_at IS NOT NULL) AND (closed_at IS NULL) = (closed_as IS NULL)),
  constraint cases_check4 CHECK ((assigned_to IS NULL) = (assigned_at IS NULL)),
  constraint cases_check5 CHECK (state <> 'second_look'::text OR stood_by_at IS NOT NULL),
  constraint cases_closed_as_check CHECK (closed_as = ANY (ARRAY['decided'::text, 'edited'::text, 'missed'::text, 'withdrawn'::text, 'ended'::text])),
  constraint cases_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  constraint cases_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  constraint cases_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  constraint cases_review_id_fkey FOREIGN KEY (review_id) REFERENCES reviews(id),
  constraint cases_state_check CHECK (state = ANY (ARRAY['open'::text, 'returned'::text, 'second_look'::text, 'closed'::text])),
  constraint cases_stood_by_check CHECK (length(stood_by) >= 1 AND length(stood_by) <= 1000),
  constraint cases_subject_check CHECK (subject = ANY (ARRAY['review'::text, 'listing'::text]))
);
CREATE INDEX cases_answer_due ON cases USING btree (answer_due_at) WHERE (answer_due_at IS NOT NULL);
CREATE INDEX cases_closed ON cases USING btree (closed_at DESC, id DESC) WHERE (closed_at IS NOT NULL);
CREATE INDEX cases_due ON cases USING btree (due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX cases_of_assigned ON cases USING btree (assigned_to, due_at) WHERE (assigned_to IS NOT NULL);
CREATE INDEX cases_of_listing ON cases USING btree (listing_id);
CREATE INDEX cases_of_member ON cases USING btree (member_id, opened_at DESC, id DESC);
CREATE INDEX cases_of_review ON cases USING btree (review_id) WHERE (review_id IS NOT NULL);
CREATE UNIQUE INDEX cases_one_open_of_review ON cases USING btree (review_id) WHERE ((state <> 'closed'::text) AND (subject = 'review'::text));
CREATE UNIQUE INDEX cases_one_open_of_seller ON cases USING btree (listing_id, member_id) WHERE ((state <> 'closed'::text) AND (subject = 'listing'::text));

create table checkouts (
  id uuid not null,
  member_id uuid not null,
  state text not null default 'open'::text,
  session_id text,
  url text,
  terms_version text not null,
  agreed_at timestamp with time zone not null default clock_timestamp(),
  ended_at timestamp with time zone,
  constraint checkouts_pkey PRIMARY KEY (id),
  constraint checkouts_check CHECK ((state = 'open'::text) = (ended_at IS NULL)),
  constraint checkouts_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint checkouts_session_id_key UNIQUE (session_id),
  constraint checkouts_state_check CHECK (state = ANY (ARRAY['open'::text, 'completed'::text, 'expired'::text]))
);
CREATE INDEX checkouts_of_member ON checkouts USING btree (member_id);
CREATE UNIQUE INDEX checkouts_open ON checkouts USING btree (member_id) WHERE (state = 'open'::text);

create table club_medians (
  one boolean not null default true,
  medians jsonb not null,
  measured_at timestamp with time zone not null default clock_timestamp(),
  constraint club_medians_pkey PRIMARY KEY (one),
  constraint club_medians_one_check CHECK (one)
);

create table conflicts (
  lo uuid not null,
  hi uuid not null,
  declared_by uuid not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint conflicts_pkey PRIMARY KEY (lo, hi),
  constraint conflicts_check CHECK (lo < hi AND (declared_by = lo OR declared_by = hi)),
  constraint conflicts_hi_fkey FOREIGN KEY (hi) REFERENCES members(id) ON DELETE CASCADE,
  constraint conflicts_lo_fkey FOREIGN KEY (lo) REFERENCES members(id) ON DELETE CASCADE
);
CREATE INDEX conflicts_hi ON conflicts USING btree (hi);

create table data_exports (
  id uuid not null,
  member_id uuid not null,
  state text not null default 'preparing'::text,
  hash bytea,
  file_key text,
  bytes bigint,
  requested_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone,
  constraint data_exports_pkey PRIMARY KEY (id),
  constraint data_exports_check CHECK ((state = 'ready'::text) = (file_key IS NOT NULL AND hash IS NOT NULL)),
  constraint data_exports_check1 CHECK (state <> 'ready'::text OR expires_at IS NOT NULL),
  constraint data_exports_hash_check CHECK (length(hash) = 32),
  constraint data_exports_hash_key UNIQUE (hash),
  constraint data_exports_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint data_exports_state_check CHECK (state = ANY (ARRAY['preparing'::text, 'ready'::text, 'downloaded'::text, 'expired'::text, 'failed'::text]))
);
CREATE INDEX data_exports_of_member ON data_exports USING btree (member_id);
CREATE UNIQUE INDEX data_exports_one_open ON data_exports USING btree (member_id) WHERE (state = ANY (ARRAY['preparing'::text, 'ready'::text]));
CREATE TRIGGER data_exports_member_lives BEFORE INSERT ON data_exports FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table debts (
  id uuid not null,
  hashes bytea[] not null,
  owed smallint not null,
  kept_until date not null,
  listing_hashes bytea[] not null default '{}'::bytea[],
  constraint debts_pkey PRIMARY KEY (id),
  constraint debts_hashes_check CHECK (cardinality(hashes) > 0),
  constraint debts_owed_check CHECK (owed > 0)
);
CREATE INDEX debts_hashes ON debts USING gin (hashes);
CREATE INDEX debts_kept_until ON debts USING btree (kept_until);
CREATE INDEX debts_listing_hashes ON debts USING gin (listing_hashes);

create table declarations (
  id uuid not null,
  member_id uuid not null,
  kind text not null,
  about_member_id uuid,
  address text,
  marketplace_id uuid,
  listing text,
  named_as text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  ends_at timestamp with time zone,
  answer text,
  answered_at timestamp with time zone,
  constraint declarations_pkey PRIMARY KEY (id),
  constraint declarations_about_member_id_fkey FOREIGN KEY (about_member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint declarations_address_check CHECK (length(address) >= 1 AND length(address) <= 300),
  constraint declarations_answer_check CHECK (answer = ANY (ARRAY['confirmed'::text, 'denied'::text])),
  constraint declarations_check CHECK (num_nonnulls(about_member_id, address, listing) = 1),
  constraint declarations_check1 CHECK ((listing IS NULL) = (marketplace_id IS NULL)),
  constraint declarations_check2 CHECK (about_member_id <> member_id),
  constraint declarations_check3 CHECK (kind <> 'household'::text OR about_member_id IS NOT NULL),
  constraint declarations_check4 CHECK (kind <> 'former_shop'::text OR address IS NOT NULL AND ends_at IS NOT NULL),
  constraint declarations_check5 CHECK ((answer IS NULL) = (answered_at IS NULL) AND (answer IS NULL OR kind = 'household'::text)),
  constraint declarations_kind_check CHECK (kind = ANY (ARRAY['household'::text, 'conflict'::text, 'competitor'::text, 'former_shop'::text])),
  constraint declarations_listing_check CHECK (length(listing) >= 1 AND length(listing) <= 200),
  constraint declarations_marketplace_id_fkey FOREIGN KEY (marketplace_id) REFERENCES marketplaces(id),
  constraint declarations_member_id_about_member_id_key UNIQUE (member_id, about_member_id),
  constraint declarations_member_id_address_key UNIQUE (member_id, address),
  constraint declarations_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint declarations_member_id_marketplace_id_listing_key UNIQUE (member_id, marketplace_id, listing),
  constraint declarations_named_as_check CHECK (length(named_as) >= 1 AND length(named_as) <= 300)
);
CREATE INDEX declarations_about ON declarations USING btree (about_member_id) WHERE (about_member_id IS NOT NULL);
CREATE INDEX declarations_ends ON declarations USING btree (ends_at) WHERE (ends_at IS NOT NULL);
CREATE INDEX declarations_of_address ON declarations USING btree (address) WHERE (address IS NOT NULL);
CREATE INDEX declarations_of_listing ON declarations USING btree (marketplace_id, listing) WHERE (listing IS NOT NULL);
CREATE TRIGGER declarations_about_lives BEFORE INSERT ON declarations FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('about_member_id');
CREATE TRIGGER declarations_member_lives BEFORE INSERT ON declarations FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table decline_history (
  id uuid not null,
  reviewer_id uuid not null,
  offer_id uuid not null,
  reason text,
  counted boolean not null,
  cooldown_applied_minutes integer not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint decline_history_pkey PRIMARY KEY (id),
  constraint decline_history_check CHECK (counted OR cooldown_applied_minutes = 0),
  constraint decline_history_cooldown_applied_minutes_check CHECK (cooldown_applied_minutes >= 0),
  constraint decline_history_offer_id_key UNIQUE (offer_id),
  constraint decline_history_offer_id_reviewer_id_fkey FOREIGN KEY (offer_id, reviewer_id) REFERENCES offers(id, reviewer_id),
  constraint decline_history_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES members(id)
);
CREATE INDEX decline_history_of ON decline_history USING btree (reviewer_id, created_at DESC);

create table demo_mails (
  id uuid not null,
  message_id text not null,
  to_address text not null,
  subject text not null,
  html text not null,
  text text not null,
  sent_at timestamp with time zone not null default clock_timestamp(),
  constraint demo_mails_pkey PRIMARY KEY (id),
  constraint demo_mails_message_id_key UNIQUE (message_id)
);
CREATE INDEX demo_mails_sent ON demo_mails USING btree (sent_at DESC, id DESC);

create table disputes (
  id uuid not null,
  member_id uuid not null,
  stripe_dispute_id text not null,
  payment_id text not null,
  cents integer not null,
  reason text not null,
  status text not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  settled_at timestamp with time zone,
  constraint disputes_pkey PRIMARY KEY (id),
  constraint disputes_cents_check CHECK (cents >= 0),
  constraint disputes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint disputes_stripe_dispute_id_key UNIQUE (stripe_dispute_id)
);
CREATE INDEX disputes_member ON disputes USING btree (member_id);
CREATE INDEX disputes_open ON disputes USING btree (opened_at) WHERE (closed_at IS NULL);

create table draw_records (
  number bigint not null,
  kind text not null,
  day date not null,
  value bytea not null,
  at timestamp with time zone not null default clock_timestamp(),
  previous_hash bytea,
  hash bytea not null,
  constraint draw_records_pkey PRIMARY KEY (number),
  constraint draw_records_check CHECK (length(value) =
CASE kind
    WHEN 'committed'::text THEN 32
    ELSE 72
END),
  constraint draw_records_check1 CHECK ((previous_hash IS NULL) = (number = 1)),
  constraint draw_records_day_fkey FOREIGN KEY (day) REFERENCES lottery_days(day),
  constraint draw_records_day_kind_key UNIQUE (day, kind),
  constraint draw_records_hash_check CHECK (length(hash) = 32),
  constraint draw_records_kind_check CHECK (kind = ANY (ARRAY['committed'::text, 'revealed'::text])),
  constraint draw_records_number_check CHECK (number > 0),
  constraint draw_records_previous_hash_check CHECK (length(previous_hash) = 32)
);
CREATE TRIGGER draw_records_append_only BEFORE DELETE OR UPDATE ON draw_records FOR EACH ROW EXECUTE FUNCTION refuse_change_of_published();

create table email_changes (
  member_id uuid not null,
  new_email text not null,
  old_hash bytea not null,
  new_hash bytea not null,
  old_confirmed_at timestamp with time zone,
  new_confirmed_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  session_id uuid,
  constraint email_changes_pkey PRIMARY KEY (member_id),
  constraint email_changes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint email_changes_new_email_check CHECK (new_email = lower(new_email) AND length(new_email) >= 3 AND length(new_email) <= 254 AND new_email !~ '[[:space:][:cntrl:]]'::text),
  constraint email_changes_new_hash_check CHECK (length(new_hash) = 32),
  constraint email_changes_new_hash_key UNIQUE (new_hash),
  constraint email_changes_old_hash_check CHECK (length(old_hash) = 32),
  constraint email_changes_old_hash_key UNIQUE (old_hash),
  constraint email_changes_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE SET NULL
);
CREATE INDEX email_changes_session_id ON email_changes USING btree (session_id);
CREATE TRIGGER email_changes_member_lives BEFORE INSERT ON email_changes FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table erasures (
  member_id uuid not null,
  erased_at timestamp with time zone not null default clock_timestamp(),
  constraint erasures_pkey PRIMARY KEY (member_id)
);

create table events (
  id uuid not null,
  name text not null,
  ids jsonb not null default '{}'::jsonb,
  actor_id uuid,
  recipients uuid[] not null default '{}'::uuid[],
  at timestamp with time zone not null default clock_timestamp(),
  published_at timestamp with time zone,
  constraint events_pkey PRIMARY KEY (id)
);
CREATE INDEX events_at ON events USING btree (at);
CREATE INDEX events_unpublished ON events USING btree (at, id) WHERE (published_at IS NULL);

create table flags (
  id uuid not null,
  kind text not null,
  key text not null,
  review_id uuid,
  other_review_id uuid,
  listing_id uuid,
  ring_id uuid,
  member_id uuid,
  facts jsonb not null,
  found_at timestamp with time zone not null default clock_timestamp(),
  closed_at timestamp with time zone,
  closed_by uuid,
  closed_as text,
  reason text,
  case_id uuid,
  constraint flags_pkey PRIMARY KEY (id),
  constraint flags_case_id_fkey FOREIGN KEY (case_id) REFERENCES cases(id),
  constraint flags_check CHECK (num_nonnulls(review_id, listing_id, ring_id) = 1),
  constraint flags_check1 CHECK ((closed_at IS NULL) = (closed_by IS NULL) AND (closed_at IS NULL) = (closed_as IS NULL)),
  constraint flags_check2 CHECK ((closed_at IS NULL) = (reason IS NULL)),
  constraint flags_check3 CHECK ((closed_as = 'case'::text) = (case_id IS NOT NULL)),
  constraint flags_closed_as_check CHECK (closed_as = ANY (ARRAY['dismissed'::text, 'case'::text])),
  constraint flags_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES members(id),
  constraint flags_kind_check CHECK (kind = ANY (ARRAY['similar_text'::text, 'quick_use'::text, 'similar_proof'::text, 'ring'::text, 'listing_claim'::text, 'broken_listing'::text])),
  constraint flags_kind_key_key UNIQUE (kind, key),
  constraint flags_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  constraint flags_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  constraint flags_other_review_id_fkey FOREIGN KEY (other_review_id) REFERENCES reviews(id),
  constraint flags_reason_check CHECK (length(reason) >= 1 AND length(reason) <= 1000),
  constraint flags_review_id_fkey FOREIGN KEY (review_id) REFERENCES reviews(id),
  constraint flags_ring_id_fkey FOREIGN KEY (ring_id) REFERENCES rings(id) ON DELETE CASCADE
);
CREATE INDEX flags_by ON flags USING btree (closed_by) WHERE (closed_by IS NOT NULL);
CREATE INDEX flags_closed ON flags USING btree (closed_at DESC, id DESC) WHERE (closed_at IS NOT NULL);
CREATE INDEX flags_of_case ON flags USING btree (case_id) WHERE (case_id IS NOT NULL);
CREATE INDEX flags_of_listing ON flags USING btree (listing_id) WHERE (listing_id IS NOT NULL);
CREATE INDEX flags_of_member ON flags USING btree (member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX flags_of_other_review ON flags USING btree (other_review_id) WHERE (other_review_id IS NOT NULL);
CREATE INDEX flags_of_review ON flags USING btree (review_id) WHERE (review_id IS NOT NULL);
CREATE INDEX flags_of_ring ON flags USING btree (ring_id) WHERE (ring_id IS NOT NULL);
CREATE INDEX flags_open ON flags USING btree (found_at DESC, id DESC) WHERE (closed_at IS NULL);

create table idempotency_keys (
  scope text not null,
  route text not null,
  key uuid not null,
  request_hash bytea not null,
  answer jsonb,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint idempotency_keys_pkey PRIMARY KEY (scope, route, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys USING btree (created_at);

create table identity_hashes (
  member_id uuid not null,
  hash bytea not null,
  of_listing boolean not null default false,
  constraint identity_hashes_pkey PRIMARY KEY (member_id, hash),
  constraint identity_hashes_hash_check CHECK (length(hash) = 32),
  constraint identity_hashes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE INDEX identity_hashes_by_hash ON identity_hashes USING btree (hash);
CREATE TRIGGER identity_hashes_member_lives BEFORE INSERT ON identity_hashes FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table images (
  id uuid not null,
  owner_id uuid not null,
  file_key text not null,
  widths integer[] not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  focus_x smallint not null default 50,
  focus_y smallint not null default 50,
  constraint images_pkey PRIMARY KEY (id),
  constraint images_bytes_check CHECK (bytes > 0),
  constraint images_file_key_check CHECK (file_key ~ '^[0-9a-f]{32}$'::text),
  constraint images_file_key_key UNIQUE (file_key),
  constraint images_focus_x_check CHECK (focus_x >= 0 AND focus_x <= 100),
  constraint images_focus_y_check CHECK (focus_y >= 0 AND focus_y <= 100),
  constraint images_height_check CHECK (height > 0),
  constraint images_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint images_width_check CHECK (width > 0)
);
CREATE INDEX images_of_owner ON images USING btree (owner_id);
CREATE TRIGGER images_member_lives BEFORE INSERT ON images FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('owner_id');

create table invariant_runs (
  id uuid not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  breaches jsonb not null default '[]'::jsonb,
  error text,
  checked integer not null default 0,
  constraint invariant_runs_pkey PRIMARY KEY (id),
  constraint invariant_runs_error_check CHECK (length(error) <= 300)
);
CREATE INDEX invariant_runs_requested ON invariant_runs USING btree (requested_at DESC, id DESC);

create table invoices (
  id uuid not null,
  member_id uuid not null,
  stripe_invoice_id text not null,
  payment_id text,
  number text,
  status text not null,
  total_cents integer not null,
  tax_cents integer not null,
  refunded_cents integer not null default 0,
  refunded_at timestamp with time zone,
  made_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone not null,
  has_pdf boolean not null default false,
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_check CHECK (refunded_cents >= 0 AND refunded_cents <= total_cents),
  constraint invoices_check1 CHECK ((status = 'paid'::text) = (paid_at IS NOT NULL)),
  constraint invoices_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint invoices_status_check CHECK (status = ANY (ARRAY['open'::text, 'paid'::text, 'void'::text, 'uncollectible'::text])),
  constraint invoices_stripe_invoice_id_key UNIQUE (stripe_invoice_id),
  constraint invoices_tax_cents_check CHECK (tax_cents >= 0),
  constraint invoices_total_cents_check CHECK (total_cents >= 0)
);
CREATE INDEX invoices_member ON invoices USING btree (member_id, made_at, id);
CREATE INDEX invoices_paid ON invoices USING btree (paid_at) WHERE (paid_at IS NOT NULL);

create table kept_records (
  id uuid not null,
  hashes bytea[] not null,
  kind text not null,
  at date not null,
  kept_until date not null,
  constraint kept_records_pkey PRIMARY KEY (id),
  constraint kept_records_check CHECK (kept_until > at),
  constraint kept_records_hashes_check CHECK (cardinality(hashes) > 0),
  constraint kept_records_kind_check CHECK (kind = ANY (ARRAY['strike'::text, 'reminder'::text, 'warning'::text, 'suspension'::text]))
);
CREATE INDEX kept_records_hashes ON kept_records USING gin (hashes);
CREATE INDEX kept_records_kept_until ON kept_records USING btree (kept_until);

create table kept_suspensions (
  id uuid not null,
  hashes bytea[] not null,
  until date,
  kept_until date not null,
  constraint kept_suspensions_pkey PRIMARY KEY (id),
  constraint kept_suspensions_check CHECK (until IS NULL OR kept_until = until),
  constraint kept_suspensions_hashes_check CHECK (cardinality(hashes) > 0)
);
CREATE INDEX kept_suspensions_hashes ON kept_suspensions USING gin (hashes);
CREATE INDEX kept_suspensions_kept_until ON kept_suspensions USING btree (kept_until);

create table ledger_chain (
  seq bigint not null,
  entry_id uuid not null,
  salt bytea not null,
  owner bytea not null,
  details bytea not null,
  leaf bytea not null,
  hash bytea not null,
  constraint ledger_chain_pkey PRIMARY KEY (seq),
  constraint ledger_chain_details_check CHECK (length(details) = 32),
  constraint ledger_chain_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger_entries(id),
  constraint ledger_chain_entry_id_key UNIQUE (entry_id),
  constraint ledger_chain_hash_check CHECK (length(hash) = 32),
  constraint ledger_chain_leaf_check CHECK (length(leaf) = 32),
  constraint ledger_chain_owner_check CHECK (length(owner) = 32),
  constraint ledger_chain_salt_check CHECK (length(salt) = 16),
  constraint ledger_chain_seq_check CHECK (seq > 0)
);
CREATE TRIGGER ledger_chain_stays BEFORE DELETE OR UPDATE ON ledger_chain FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();

create table ledger_entries (
  id uuid not null,
  review_id uuid,
  member_id uuid,
  reason text not null,
  delta smallint not null,
  at timestamp with time zone not null default clock_timestamp(),
  corrects uuid,
  constraint ledger_entries_pkey PRIMARY KEY (id),
  constraint ledger_entries_appealed CHECK (reason <> 'appealed'::text OR delta =
CASE
    WHEN member_id IS NULL THEN '-1'::integer
    ELSE 1
END),
  constraint ledger_entries_check CHECK (reason <> 'gave'::text OR delta = 1 AND review_id IS NOT NULL AND member_id IS NOT NULL),
  constraint ledger_entries_check1 CHECK (reason <> 'received'::text OR delta = '-1'::integer AND review_id IS NOT NULL AND member_id IS NOT NULL),
  constraint ledger_entries_corrects CHECK ((reason = 'corrected'::text) = (corrects IS NOT NULL)),
  constraint ledger_entries_corrects_fkey FOREIGN KEY (corrects) REFERENCES ledger_entries(id),
  constraint ledger_entries_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  constraint ledger_entries_moves CHECK (delta <> 0),
  constraint ledger_entries_of_review CHECK ((review_id IS NOT NULL) = ((reason = ANY (ARRAY['gave'::text, 'received'::text])) OR reason = 'appealed'::text AND member_id IS NOT NULL)),
  constraint ledger_entries_reason_check CHECK (reason = ANY (ARRAY['gave'::text, 'received'::text, 'settled'::text, 'carried'::text, 'corrected'::text, 'appealed'::text])),
  constraint ledger_entries_review_id_fkey FOREIGN KEY (review_id) REFERENCES reviews(id),
  constraint ledger_entries_review_id_member_id_reason_key UNIQUE (review_id, member_id, reason)
);
CREATE UNIQUE INDEX ledger_entries_corrected_once ON ledger_entries USING btree (corrects, ((member_id IS NULL))) WHERE (corrects IS NOT NULL);
CREATE INDEX ledger_entries_of ON ledger_entries USING btree (member_id, at, id) INCLUDE (delta);
CREATE UNIQUE INDEX ledger_entries_once ON ledger_entries USING btree (review_id, reason) WHERE (review_id IS NOT NULL);
CREATE CONSTRAINT TRIGGER ledger_entries_chain AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_ledger_entry();
CREATE TRIGGER ledger_entries_stay BEFORE DELETE OR UPDATE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();

create table ledger_seals (
  number integer not null,
  day date not null,
  last_seq bigint not null,
  entries integer not null,
  sum integer not null,
  salt bytea not null,
  root bytea not null,
  head bytea not null,
  hash bytea not null,
  sealed_at timestamp with time zone not null default clock_timestamp(),
  constraint ledger_seals_pkey PRIMARY KEY (number),
  constraint ledger_seals_entries_check CHECK (entries > 0),
  constraint ledger_seals_hash_check CHECK (length(hash) = 32),
  constraint ledger_seals_head_check CHECK (length(head) = 32),
  constraint ledger_seals_last_seq_fkey FOREIGN KEY (last_seq) REFERENCES ledger_chain(seq),
  constraint ledger_seals_last_seq_key UNIQUE (last_seq),
  constraint ledger_seals_number_check CHECK (number > 0),
  constraint ledger_seals_root_check CHECK (length(root) = 32),
  constraint ledger_seals_salt_check CHECK (length(salt) = 32)
);
CREATE TRIGGER ledger_seals_stay BEFORE DELETE OR UPDATE ON ledger_seals FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();

create table listing_claims (
  listing_id uuid not null,
  member_id uuid not null,
  attempts integer not null default 1,
  first_at timestamp with time zone not null default clock_timestamp(),
  last_at timestamp with time zone not null default clock_timestamp(),
  constraint listing_claims_pkey PRIMARY KEY (listing_id, member_id),
  constraint listing_claims_attempts_check CHECK (attempts > 0),
  constraint listing_claims_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  constraint listing_claims_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id)
);
CREATE INDEX listing_claims_of ON listing_claims USING btree (member_id);

create table listing_reports (
  listing_id uuid not null,
  member_id uuid not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  closed_at timestamp with time zone,
  constraint listing_reports_pkey PRIMARY KEY (listing_id, member_id),
  constraint listing_reports_check CHECK (closed_at >= created_at),
  constraint listing_reports_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  constraint listing_reports_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE INDEX listing_reports_of ON listing_reports USING btree (member_id);
CREATE TRIGGER listing_reports_member_lives BEFORE INSERT ON listing_reports FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table listings (
  id uuid not null,
  marketplace_id uuid not null,
  external_id text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  removed_at timestamp with time zone,
  constraint listings_pkey PRIMARY KEY (id),
  constraint listings_external_id_check CHECK (length(external_id) >= 1 AND length(external_id) <= 200),
  constraint listings_marketplace_id_external_id_key UNIQUE (marketplace_id, external_id),
  constraint listings_marketplace_id_fkey FOREIGN KEY (marketplace_id) REFERENCES marketplaces(id)
);

create table login_methods (
  id uuid not null,
  member_id uuid not null,
  provider_id text not null,
  account_id text not null,
  password text,
  pending_hash bytea,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint login_methods_pkey PRIMARY KEY (id),
  constraint login_methods_access_token_check CHECK (access_token IS NULL),
  constraint login_methods_id_token_check CHECK (id_token IS NULL),
  constraint login_methods_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint login_methods_provider_id_account_id_key UNIQUE (provider_id, account_id),
  constraint login_methods_refresh_token_check CHECK (refresh_token IS NULL)
);
CREATE INDEX login_methods_of_member ON login_methods USING btree (member_id);
CREATE UNIQUE INDEX login_methods_one_password ON login_methods USING btree (member_id) WHERE (provider_id = 'credential'::text);
CREATE UNIQUE INDEX login_methods_one_provider ON login_methods USING btree (member_id, provider_id) WHERE (provider_id <> 'credential'::text);
CREATE TRIGGER login_methods_member_lives BEFORE INSERT ON login_methods FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table lottery_days (
  day date not null,
  secret bytea not null,
  secret_hash bytea not null,
  constraint lottery_days_pkey PRIMARY KEY (day),
  constraint lottery_days_secret_check CHECK (length(secret) = 32),
  constraint lottery_days_secret_hash_check CHECK (length(secret_hash) = 32)
);
CREATE TRIGGER lottery_days_committed BEFORE DELETE OR UPDATE ON lottery_days FOR EACH ROW EXECUTE FUNCTION refuse_change_of_committed_day();

create table mails (
  id uuid not null,
  dedupe_key text not null,
  member_id uuid,
  to_address text not null,
  template text not null,
  props jsonb not null default '{}'::jsonb,
  attempts integer not null default 0,
  error text,
  created_at timestamp with time zone not null default clock_timestamp(),
  next_try_at timestamp with time zone not null default clock_timestamp(),
  sent_at timestamp with time zone,
  failed_at timestamp with time zone,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_check CHECK (sent_at IS NULL OR failed_at IS NULL),
  constraint mails_dedupe_key_key UNIQUE (dedupe_key),
  constraint mails_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint mails_to_address_check CHECK (to_address !~ '[[:space:][:cntrl:],;<>]'::text)
);
CREATE INDEX mails_failed ON mails USING btree (failed_at DESC, id DESC) WHERE (failed_at IS NOT NULL);
CREATE INDEX mails_of ON mails USING btree (member_id, created_at DESC, id DESC);
CREATE INDEX mails_sent ON mails USING btree (sent_at) WHERE (sent_at IS NOT NULL);
CREATE INDEX mails_unsent ON mails USING btree (next_try_at) WHERE ((sent_at IS NULL) AND (failed_at IS NULL));

create table marketplace_closures (
  id uuid not null,
  marketplace_id uuid not null,
  lane_before text not null,
  reviews text not null,
  reason text not null,
  closed_at timestamp with time zone not null default clock_timestamp(),
  reopened_at timestamp with time zone,
  constraint marketplace_closures_pkey PRIMARY KEY (id),
  constraint marketplace_closures_check CHECK (reopened_at >= closed_at),
  constraint marketplace_closures_lane_before_check CHECK (lane_before = ANY (ARRAY['public'::text, 'private'::text])),
  constraint marketplace_closures_marketplace_id_fkey FOREIGN KEY (marketplace_id) REFERENCES marketplaces(id),
  constraint marketplace_closures_reason_check CHECK (length(reason) >= 10 AND length(reason) <= 500),
  constraint marketplace_closures_reviews_check CHECK (reviews = ANY (ARRAY['finish'::text, 'end'::text]))
);
CREATE INDEX marketplace_closures_of ON marketplace_closures USING btree (marketplace_id, closed_at DESC);
CREATE UNIQUE INDEX marketplace_closures_open ON marketplace_closures USING btree (marketplace_id) WHERE (reopened_at IS NULL);

create table marketplace_consents (
  member_id uuid not null,
  marketplace_id uuid not null,
  policy_version integer not null,
  consented_at timestamp with time zone not null default clock_timestamp(),
  constraint marketplace_consents_pkey PRIMARY KEY (member_id, marketplace_id, policy_version),
  constraint marketplace_consents_marketplace_id_fkey FOREIGN KEY (marketplace_id) REFERENCES marketplaces(id),
  constraint marketplace_consents_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE TRIGGER marketplace_consents_member_lives BEFORE INSERT ON marketplace_consents FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table marketplace_versions (
  marketplace_id uuid not null,
  version integer not null,
  policy_version integer not null,
  lane text not null,
  entry jsonb not null,
  replaced_at timestamp with time zone not null default clock_timestamp(),
  constraint marketplace_versions_pkey PRIMARY KEY (marketplace_id, version),
  constraint marketplace_versions_lane_check CHECK (lane = ANY (ARRAY['public'::text, 'private'::text, 'closed'::text])),
  constraint marketplace_versions_marketplace_id_fkey FOREIGN KEY (marketplace_id) REFERENCES marketplaces(id),
  constraint marketplace_versions_version_check CHECK (version > 0)
);

create table marketplaces (
  id uuid not null,
  name text not null,
  host text not null,
  image_hosts text[] not null default '{}'::text[],
  lane text not null,
  policy_url text not null,
  policy_sentence text not null,
  policy_version integer not null default 1,
  read_by text not null,
  read_on date not null,
  next_check_on date not null,
  coupon_prices integer[] not null default '{0,50}'::integer[],
  verified_purchase_word text not null,
  disclosure text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  listing_paths text[] not null default '{"/listing/{id}","/listing/{id}/{title}"}'::text[],
  listing_id_form text not null default '[0-9]{1,20}'::text,
  coupon_parameter text not null default 'coupon'::text,
  coupon_forms text[] not null default '{"[A-Za-z0-9_-]{2,40}"}'::text[],
  order_pattern text not null default '^0*([1-9][0-9]{0,19})$'::text,
  version integer not null default 1,
  disclosures jsonb not null default '{}'::jsonb,
  constraint marketplaces_pkey PRIMARY KEY (id),
  constraint marketplaces_coupon_forms CHECK (array_to_string(coupon_forms, ' '::text) ~ '^((\[[A-Za-z0-9_-]+\]\{[0-9]{1,2},[0-9]{1,2}\}|[A-Za-z0-9_-])+( |$))+$'::text),
  constraint marketplaces_coupon_parameter_check CHECK (coupon_parameter ~ '^[A-Za-z0-9_-]{1,40}$'::text),
  constraint marketplaces_disclosure_check CHECK (length(disclosure) >= 20 AND length(disclosure) <= 400),
  constraint marketplaces_disclosures_check CHECK (jsonb_typeof(disclosures) = 'object'::text),
  constraint marketplaces_host_check CHECK (host ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'::text),
  constraint marketplaces_host_key UNIQUE (host),
  constraint marketplaces_lane_check CHECK (lane = ANY (ARRAY['public'::text, 'private'::text, 'closed'::text])),
  constraint marketplaces_listing_id_form CHECK (listing_id_form ~ '^(\[[A-Za-z0-9_-]+\]\{[0-9]{1,2},[0-9]{1,2}\}|[A-Za-z0-9_-])+$'::text),
  constraint marketplaces_listing_paths CHECK (array_to_string(listing_paths, ' '::text) ~ '^((/[a-z0-9._-]+|/\{title\})*/\{id\}(/[a-z0-9._-]+|/\{title\})*( |$))+$'::text AND listing_paths[1] !~ 'title'::text),
  constraint marketplaces_name_key UNIQUE (name),
  constraint marketplaces_order_pattern_check CHECK (order_pattern ~ '^\^.*\([^?].*\).*\$$'::text),
  constraint marketplaces_policy_url_check CHECK (policy_url ~~ 'https://%'::text),
  constraint marketplaces_version_check CHECK (version > 0)
);

create table match_passes (
  id uuid not null,
  chain text not null,
  pass_no bigint not null,
  at timestamp with time zone not null,
  phase smallint not null,
  requests integer not null,
  candidates integer not null,
  matched integer not null,
  cut_band smallint,
  cut_turn timestamp with time zone,
  list bytea,
  previous_hash bytea,
  hash bytea not null,
  slate_start double precision,
  slate_doubling_ms integer,
  constraint match_passes_pkey PRIMARY KEY (id),
  constraint match_passes_chain_pass_no_key UNIQUE (chain, pass_no),
  constraint match_passes_phase_check CHECK (phase = ANY (ARRAY[0, 1, 2])),
  constraint match_passes_slate CHECK ((num_nonnulls(slate_start, slate_doubling_ms) = ANY (ARRAY[0, 2])) AND slate_start > 0::double precision AND slate_start <= 1::double precision AND slate_doubling_ms > 0)
);
CREATE INDEX match_passes_at ON match_passes USING btree (at);
CREATE INDEX match_passes_listed ON match_passes USING btree (at) WHERE (list IS NOT NULL);

create table member_notes (
  id uuid not null,
  member_id uuid not null,
  author_id uuid not null,
  text text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint member_notes_pkey PRIMARY KEY (id),
  constraint member_notes_author_id_fkey FOREIGN KEY (author_id) REFERENCES members(id),
  constraint member_notes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint member_notes_text_check CHECK (length(text) >= 1 AND length(text) <= 2000)
);
CREATE INDEX member_notes_by ON member_notes USING btree (author_id);
CREATE INDEX member_notes_of ON member_notes USING btree (member_id, created_at DESC, id DESC);
CREATE TRIGGER member_notes_member_lives BEFORE INSERT ON member_notes FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table members (
  id uuid not null,
  email text not null,
  email_verified boolean not null default false,
  username text,
  display_name text not null default ''::text,
  full_name text,
  image text,
  role text not null default 'user'::text,
  suspended_at timestamp with time zone,
  erased_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  two_factor_enabled boolean not null default false,
  avatar_key text,
  locale text not null default 'en-US'::text,
  time_zone text,
  username_changed_at timestamp with time zone,
  suspended_until timestamp with time zone,
  suspension_reason text,
  constraint members_pkey PRIMARY KEY (id),
  constraint members_avatar_key_check CHECK (avatar_key ~ '^[0-9a-f]{32}$'::text),
  constraint members_display_name_check CHECK (length(display_name) <= 80),
  constraint members_email_check CHECK (email = lower(email) AND length(email) >= 3 AND length(email) <= 254 AND email !~ '[[:space:][:cntrl:]]'::text),
  constraint members_erased CHECK (erased_at IS NULL OR email = (('erased-'::text || id::text) || '@erased.invalid'::text) AND username IS NULL AND display_name = ''::text AND full_name IS NULL AND image IS NULL AND avatar_key IS NULL AND time_zone IS NULL AND username_changed_at IS NULL AND NOT two_factor_enabled AND role = 'user'::text),
  constraint members_full_name_check CHECK (length(full_name) <= 80),
  constraint members_locale_check CHECK (locale = ANY (ARRAY['en-US'::text, 'en-GB'::text, 'en-CA'::text, 'en-AU'::text, 'en-IN'::text])),
  constraint members_role_check CHECK (role = ANY (ARRAY['user'::text, 'support'::text, 'admin'::text])),
  constraint members_suspended CHECK ((suspended_until IS NULL OR suspended_until > suspended_at) AND (suspended_at IS NOT NULL OR suspended_until IS NULL AND suspension_reason IS NULL)),
  constraint members_suspension_reason_check CHECK (length(suspension_reason) >= 1 AND length(suspension_reason) <= 2000),
  constraint members_time_zone_check CHECK (length(time_zone) >= 1 AND length(time_zone) <= 64),
  constraint members_username_check CHECK (username ~ '^[a-z][a-z0-9_-]{2,19}$'::text)
);
CREATE INDEX members_address ON members USING btree (email);
CREATE UNIQUE INDEX members_avatar_key ON members USING btree (avatar_key) WHERE (avatar_key IS NOT NULL);
CREATE INDEX members_by_creation ON members USING btree (created_at, id) WHERE (erased_at IS NULL);
CREATE INDEX members_by_email ON members USING btree (email, id) WHERE (erased_at IS NULL);
CREATE INDEX members_by_name ON members USING btree (lower(COALESCE(full_name, ''::text)), id) WHERE (erased_at IS NULL);
CREATE INDEX members_by_role ON members USING btree (role, id) WHERE (erased_at IS NULL);
CREATE UNIQUE INDEX members_email_key ON members USING btree (lower(email));
CREATE INDEX members_email_text ON members USING gin (email gin_trgm_ops) WHERE (erased_at IS NULL);
CREATE INDEX members_letters ON members USING gin (member_letters(email, full_name, role)) WHERE (erased_at IS NULL);
CREATE INDEX members_suspended_until ON members USING btree (suspended_until) WHERE (suspended_until IS NOT NULL);
CREATE INDEX members_text ON members USING gin (member_text(email, full_name, role) gin_trgm_ops) WHERE (erased_at IS NULL);
CREATE UNIQUE INDEX members_username_key ON members USING btree (lower(username));
CREATE INDEX members_username_near ON members USING gist (username gist_trgm_ops (siglen='32')) WHERE (email_verified AND (erased_at IS NULL));
CREATE INDEX members_username_prefix ON members USING btree (username text_pattern_ops);
CREATE TRIGGER members_role_changed AFTER UPDATE OF role ON members FOR EACH ROW WHEN ((new.role <> old.role)) EXECUTE FUNCTION record_role_change();
CREATE TRIGGER members_role_given AFTER INSERT ON members FOR EACH ROW WHEN ((new.role <> 'user'::text)) EXECUTE FUNCTION record_role_change();

create table membership_changes (
  id uuid not null,
  member_id uuid not null,
  kind text not null,
  key text not null,
  at timestamp with time zone not null default clock_timestamp(),
  until timestamp with time zone,
  constraint membership_changes_pkey PRIMARY KEY (id),
  constraint membership_changes_kind_check CHECK (kind = ANY (ARRAY['granted'::text, 'joined'::text, 'renewed'::text, 'payment_failed'::text, 'recovered'::text, 'cancelled'::text, 'kept'::text, 'paused'::text, 'resumed'::text, 'refunded'::text, 'disputed'::text, 'dispute_won'::text, 'ended'::text])),
  constraint membership_changes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint membership_changes_member_id_kind_key_key UNIQUE (member_id, kind, key)
);
CREATE INDEX membership_changes_member ON membership_changes USING btree (member_id, at, id);
CREATE INDEX membership_changes_time ON membership_changes USING btree (at, kind);

create table membership_orders (
  id uuid not null,
  member_id uuid not null,
  kind text not null,
  subscription_id text not null,
  payment_id text,
  until timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  done_at timestamp with time zone,
  failed_at timestamp with time zone,
  attempts integer not null default 0,
  try_at timestamp with time zone not null default clock_timestamp(),
  error text,
  constraint membership_orders_pkey PRIMARY KEY (id),
  constraint membership_orders_check CHECK (done_at IS NULL OR failed_at IS NULL),
  constraint membership_orders_kind_check CHECK (kind = ANY (ARRAY['cancel'::text, 'keep'::text, 'pause'::text, 'resume'::text, 'refund'::text, 'end'::text])),
  constraint membership_orders_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE INDEX membership_orders_member ON membership_orders USING btree (member_id, created_at);
CREATE INDEX membership_orders_open ON membership_orders USING btree (created_at) WHERE ((done_at IS NULL) AND (failed_at IS NULL));

create table memberships (
  member_id uuid not null,
  status text not null default 'none'::text,
  source text,
  current_period_end timestamp with time zone,
  paused_from timestamp with time zone,
  paused_until timestamp with time zone,
  stripe_customer_id text,
  stripe_subscription_id text,
  started_at timestamp with time zone,
  updated_at timestamp with time zone not null default clock_timestamp(),
  ends_at timestamp with time zone,
  grace_until timestamp with time zone,
  first_paid_at timestamp with time zone,
  renewal_cents integer,
  card_brand text,
  card_last4 text,
  look bigint not null default 0,
  constraint memberships_pkey PRIMARY KEY (member_id),
  constraint memberships_check CHECK (status <> 'active'::text OR source IS NOT NULL AND current_period_end IS NOT NULL),
  constraint memberships_check1 CHECK ((paused_from IS NULL) = (paused_until IS NULL)),
  constraint memberships_grace CHECK (status <> 'past_due'::text OR grace_until IS NOT NULL),
  constraint memberships_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint memberships_pause CHECK (paused_until > paused_from AND (paused_until - paused_from) <= '720:00:00'::interval),
  constraint memberships_source_check CHECK (source = ANY (ARRAY['demo'::text, 'stripe'::text, 'grant'::text])),
  constraint memberships_status_check CHECK (status = ANY (ARRAY['none'::text, 'active'::text, 'past_due'::text, 'refunded'::text, 'disputed'::text, 'ended'::text])),
  constraint memberships_stripe_customer_id_key UNIQUE (stripe_customer_id),
  constraint memberships_stripe_subscription_id_key UNIQUE (stripe_subscription_id)
);
CREATE INDEX memberships_period_end ON memberships USING btree (current_period_end) WHERE (status = 'active'::text);

create table money_figures (
  one boolean not null default true,
  figures jsonb not null,
  measured_at timestamp with time zone not null default clock_timestamp(),
  constraint money_figures_pkey PRIMARY KEY (one),
  constraint money_figures_one_check CHECK (one)
);

create table notice_preferences (
  member_id uuid not null,
  kind text not null,
  in_app boolean not null,
  by_email boolean not null,
  updated_at timestamp with time zone not null default clock_timestamp(),
  by_push boolean not null default false,
  constraint notice_preferences_pkey PRIMARY KEY (member_id, kind),
  constraint notice_preferences_kind_check CHECK (kind = ANY (ARRAY['offers'::text, 'nudges'::text, 'writing'::text, 'receiving'::text, 'membership'::text])),
  constraint notice_preferences_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE TRIGGER notice_preferences_member_lives BEFORE INSERT ON notice_preferences FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table notices (
  id uuid not null,
  member_id uuid not null,
  dedupe_key text not null,
  title text not null,
  message text not null,
  priority text not null,
  action_label text,
  action_href text,
  created_at timestamp with time zone not null default clock_timestamp(),
  read_at timestamp with time zone,
  settled_at timestamp with time zone,
  constraint notices_pkey PRIMARY KEY (id),
  constraint notices_action_href_check CHECK (action_href ~~ '/%'::text),
  constraint notices_check CHECK ((action_label IS NULL) = (action_href IS NULL)),
  constraint notices_member_id_dedupe_key_key UNIQUE (member_id, dedupe_key),
  constraint notices_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint notices_priority_check CHECK (priority = ANY (ARRAY['high'::text, 'medium'::text, 'low'::text])),
  constraint notices_settled_are_read CHECK (settled_at IS NULL OR read_at IS NOT NULL)
);
CREATE INDEX notices_of ON notices USING btree (member_id, created_at DESC, id DESC);
CREATE INDEX notices_unread ON notices USING btree (member_id) WHERE (read_at IS NULL);

create table offer_notices_due (
  pass_id uuid not null,
  offer_ids uuid[] not null,
  constraint offer_notices_due_pkey PRIMARY KEY (pass_id)
);

create table offers (
  id uuid not null,
  queue_id uuid not null,
  reviewer_id uuid not null,
  seller_id uuid not null,
  state text not null,
  live boolean not null,
  offered_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  seen_at timestamp with time zone,
  responded_at timestamp with time zone,
  reason text,
  pass_id uuid,
  slot integer,
  skipped jsonb not null default '[]'::jsonb,
  snapshot jsonb not null,
  set_aside_at timestamp with time zone,
  by_declaration boolean not null default false,
  constraint offers_pkey PRIMARY KEY (id),
  constraint offers_check CHECK (reviewer_id <> seller_id),
  constraint offers_check1 CHECK (expires_at > offered_at),
  constraint offers_check2 CHECK ((state = 'open'::text) = (responded_at IS NULL)),
  constraint offers_check3 CHECK (state <> 'accepted'::text OR responded_at <= expires_at),
  constraint offers_check4 CHECK (NOT by_declaration OR state = 'withdrawn'::text),
  constraint offers_id_reviewer_id_key UNIQUE (id, reviewer_id),
  constraint offers_pass_id_fkey FOREIGN KEY (pass_id) REFERENCES match_passes(id) DEFERRABLE INITIALLY DEFERRED,
  constraint offers_queue_id_fkey FOREIGN KEY (queue_id) REFERENCES review_queue(id),
  constraint offers_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES members(id),
  constraint offers_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES members(id),
  constraint offers_state_check CHECK (state = ANY (ARRAY['open'::text, 'accepted'::text, 'declined'::text, 'expired'::text, 'withdrawn'::text]))
);
CREATE INDEX offers_expiry ON offers USING btree (expires_at) WHERE (state = 'open'::text);
CREATE INDEX offers_of_image ON offers USING btree (((snapshot ->> 'image_id'::text))) WHERE (state = ANY (ARRAY['open'::text, 'accepted'::text]));
CREATE INDEX offers_of_request ON offers USING btree (queue_id, reviewer_id);
CREATE INDEX offers_of_reviewer ON offers USING btree (reviewer_id, offered_at DESC);
CREATE INDEX offers_of_seller ON offers USING btree (seller_id);
CREATE UNIQUE INDEX offers_one_accepted ON offers USING btree (queue_id) WHERE (state = 'accepted'::text);
CREATE UNIQUE INDEX offers_one_open ON offers USING btree (queue_id) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX offers_one_per_member ON offers USING btree (reviewer_id) WHERE (state = 'open'::text);

create table one_time_secrets (
  hash bytea not null,
  member_id uuid not null,
  purpose text not null,
  data jsonb,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  constraint one_time_secrets_pkey PRIMARY KEY (hash),
  constraint one_time_secrets_hash_check CHECK (length(hash) = 32),
  constraint one_time_secrets_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint one_time_secrets_member_id_purpose_key UNIQUE (member_id, purpose),
  constraint one_time_secrets_purpose_check CHECK (purpose = ANY (ARRAY['verify_email'::text, 'reset_password'::text, 'change_email'::text, 'confirm_address'::text]))
);
CREATE TRIGGER one_time_secrets_member_lives BEFORE INSERT ON one_time_secrets FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table owned_listings (
  member_id uuid not null,
  listing_id uuid not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint owned_listings_pkey PRIMARY KEY (member_id, listing_id),
  constraint owned_listings_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  constraint owned_listings_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE TRIGGER owned_listings_member_lives BEFORE INSERT ON owned_listings FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table pair_uses (
  lo uuid not null,
  hi uuid not null,
  held boolean not null,
  last_at timestamp with time zone,
  last_reviewer_id uuid,
  constraint pair_uses_pkey PRIMARY KEY (lo, hi),
  constraint pair_uses_check CHECK (lo < hi),
  constraint pair_uses_hi_fkey FOREIGN KEY (hi) REFERENCES members(id) ON DELETE CASCADE,
  constraint pair_uses_lo_fkey FOREIGN KEY (lo) REFERENCES members(id) ON DELETE CASCADE
);
CREATE INDEX pair_uses_hi ON pair_uses USING btree (hi);

create table passkeys (
  id uuid not null,
  member_id uuid not null,
  name text,
  public_key text not null,
  credential_id text not null,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamp with time zone not null default clock_timestamp(),
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint passkeys_name_check CHECK (length(name) <= 60)
);
CREATE INDEX passkeys_member_id ON passkeys USING btree (member_id);
CREATE TRIGGER passkeys_member_lives BEFORE INSERT ON passkeys FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table payer_cards (
  member_id uuid not null,
  card_hash bytea not null,
  seen_at timestamp with time zone not null default clock_timestamp(),
  constraint payer_cards_pkey PRIMARY KEY (member_id, card_hash),
  constraint payer_cards_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE INDEX payer_cards_card ON payer_cards USING btree (card_hash, member_id);

create table processes (
  id uuid not null,
  kind text not null,
  version text not null,
  node text not null,
  host text not null,
  pid integer not null,
  streams integer,
  started_at timestamp with time zone not null default clock_timestamp(),
  seen_at timestamp with time zone not null default clock_timestamp(),
  constraint processes_pkey PRIMARY KEY (id),
  constraint processes_kind_check CHECK (kind = ANY (ARRAY['web'::text, 'worker'::text])),
  constraint processes_streams_check CHECK (streams >= 0)
);

create table products (
  id uuid not null,
  seller_id uuid not null,
  marketplace_id uuid not null,
  title text not null,
  category text not null,
  coupon_link text not null,
  price_cents integer,
  description text,
  tags text[] not null default '{}'::text[],
  image_id uuid,
  archived_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  listing_id uuid not null,
  format text,
  place integer not null default 0,
  coupon_cents integer,
  summary text,
  public_id uuid not null default gen_random_uuid(),
  exchanges_in_week smallint not null default 0,
  live_since timestamp with time zone,
  constraint products_pkey PRIMARY KEY (id),
  constraint products_category_check CHECK (category = ANY (ARRAY['template'::text, 'tool'::text, 'design'::text, 'guide'::text, 'course'::text, 'audio'::text, 'video'::text, 'other'::text])),
  constraint products_coupon_cents_check CHECK (coupon_cents >= 0),
  constraint products_coupon_link_check CHECK (coupon_link ~~ 'https://%'::text AND length(coupon_link) <= 2048),
  constraint products_description_check CHECK (length(description) <= 5000),
  constraint products_exchanges_in_week_check CHECK (exchanges_in_week >= 0),
  constraint products_format_check CHECK (format = ANY (ARRAY['pdf'::text, 'epub'::text, 'document'::text, 'spreadsheet'::text, 'slides'::text, 'notion'::text, 'canva'::text, 'figma'::text, 'photoshop'::text, 'illustrator'::text, 'procreate'::text, 'image'::text, 'font'::text, 'cutting'::text, 'software'::text, 'online'::text, 'audio'::text, 'video'::text])),
  constraint products_id_seller_id_key UNIQUE (id, seller_id),
  constraint products_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint products_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  constraint products_marketplace_id_fkey FOREIGN KEY (marketplace_id) REFERENCES marketplaces(id),
  constraint products_price_cents_check CHECK (price_cents >= 0),
  constraint products_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES members(id),
  constraint products_summary_check CHECK (length(summary) <= 200),
  constraint products_tags_check CHECK (cardinality(tags) <= 10),
  constraint products_title_check CHECK (length(title) >= 1 AND length(title) <= 140)
);
CREATE INDEX products_archived ON products USING btree (seller_id, archived_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (archived_at IS NOT NULL));
CREATE INDEX products_counted ON products USING btree (id) WHERE (exchanges_in_week > 0);
CREATE INDEX products_counts_of_seller ON products USING btree (seller_id, created_at) INCLUDE (deleted_at, archived_at);
CREATE INDEX products_in_rotation ON products USING btree (seller_id) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL));
CREATE INDEX products_live ON products USING btree (public_id) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL));
CREATE INDEX products_live_of_category ON products USING btree (category, public_id) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL));
CREATE INDEX products_live_tags ON products USING gin (lower_tags(tags)) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL));
CREATE INDEX products_live_text ON products USING gin (product_text(title, tags) gin_trgm_ops) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL));
CREATE INDEX products_of_image ON products USING btree (image_id) WHERE (image_id IS NOT NULL);
CREATE INDEX products_of_listing ON products USING btree (listing_id, seller_id);
CREATE INDEX products_of_marketplace ON products USING btree (marketplace_id, seller_id) WHERE (deleted_at IS NULL);
CREATE INDEX products_of_seller ON products USING btree (seller_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX products_one_listing ON products USING btree (listing_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX products_public_id ON products USING btree (public_id);
CREATE INDEX products_trending ON products USING btree (exchanges_in_week DESC, public_id) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL) AND (exchanges_in_week > 0));
CREATE INDEX products_trending_of_category ON products USING btree (category, exchanges_in_week DESC, public_id) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL) AND (exchanges_in_week > 0));
CREATE INDEX products_words ON products USING gin (lower(title) gin_trgm_ops, lower(coupon_link) gin_trgm_ops);
CREATE TRIGGER products_member_lives BEFORE INSERT ON products FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('seller_id');

create table proofs (
  id uuid not null,
  review_id uuid not null,
  uploader_id uuid not null,
  kind text not null,
  order_id text,
  file_key text,
  mime text,
  bytes integer,
  sha256 bytea,
  original_name text,
  state text not null default 'stored'::text,
  created_at timestamp with time zone not null default clock_timestamp(),
  picture_tones bytea,
  picture_bits bit(992),
  picture_ones integer generated always as (bit_count(picture_bits)) stored,
  checked_at timestamp with time zone,
  constraint proofs_pkey PRIMARY KEY (id),
  constraint proofs_bytes_check CHECK (bytes > 0 AND bytes < 2097152),
  constraint proofs_check CHECK (kind <> 'order'::text OR file_key IS NULL AND (order_id IS NOT NULL OR state <> 'stored'::text)),
  constraint proofs_check1 CHECK (kind <> 'file'::text OR order_id IS NULL AND mime IS NOT NULL AND bytes IS NOT NULL AND sha256 IS NOT NULL AND (file_key IS NOT NULL OR state <> 'stored'::text)),
  constraint proofs_check2 CHECK ((picture_tones IS NULL) = (picture_bits IS NULL)),
  constraint proofs_checked CHECK (checked_at IS NULL OR state <> 'refused'::text),
  constraint proofs_file_key_check CHECK (file_key ~ '^[0-9a-f]{32}$'::text),
  constraint proofs_file_key_key UNIQUE (file_key),
  constraint proofs_kind_check CHECK (kind = ANY (ARRAY['order'::text, 'file'::text])),
  constraint proofs_mime_check CHECK (mime = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'application/pdf'::text])),
  constraint proofs_order_id_check CHECK (order_id ~ '^[0-9]{6,20}$'::text),
  constraint proofs_original_name_check CHECK (length(original_name) <= 100),
  constraint proofs_picture_tones_check CHECK (length(picture_tones) = 4096),
  constraint proofs_review_id_uploader_id_fkey FOREIGN KEY (review_id, uploader_id) REFERENCES reviews(id, reviewer_id),
  constraint proofs_sha256_check CHECK (length(sha256) = 32),
  constraint proofs_state_check CHECK (state = ANY (ARRAY['stored'::text, 'replaced'::text, 'deleted'::text, 'refused'::text]))
);
CREATE INDEX proofs_file ON proofs USING btree (sha256) WHERE (sha256 IS NOT NULL);
CREATE UNIQUE INDEX proofs_file_once ON proofs USING btree (sha256) WHERE ((sha256 IS NOT NULL) AND (state = 'stored'::text));
CREATE INDEX proofs_like ON proofs USING btree (picture_ones) WHERE (picture_ones IS NOT NULL);
CREATE INDEX proofs_of_review ON proofs USING btree (review_id);
CREATE INDEX proofs_of_uploader ON proofs USING btree (uploader_id, created_at);
CREATE UNIQUE INDEX proofs_one_current ON proofs USING btree (review_id) WHERE (state = 'stored'::text);

create table push_devices (
  id uuid not null,
  member_id uuid not null,
  session_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  delivered_at timestamp with time zone,
  constraint push_devices_pkey PRIMARY KEY (id),
  constraint push_devices_auth_check CHECK (length(auth) >= 20 AND length(auth) <= 32),
  constraint push_devices_endpoint_check CHECK (endpoint ~~ 'http%'::text AND length(endpoint) <= 1024),
  constraint push_devices_endpoint_key UNIQUE (endpoint),
  constraint push_devices_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint push_devices_p256dh_check CHECK (length(p256dh) >= 80 AND length(p256dh) <= 100),
  constraint push_devices_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint push_devices_session_id_key UNIQUE (session_id)
);
CREATE INDEX push_devices_of ON push_devices USING btree (member_id);
CREATE TRIGGER push_devices_member_lives BEFORE INSERT ON push_devices FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table push_messages (
  id uuid not null,
  device_id uuid not null,
  dedupe_key text not null,
  title text not null,
  body text not null,
  href text not null,
  urgent boolean not null,
  expires_at timestamp with time zone not null,
  attempts integer not null default 0,
  next_try_at timestamp with time zone not null default clock_timestamp(),
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint push_messages_pkey PRIMARY KEY (id),
  constraint push_messages_device_id_dedupe_key_key UNIQUE (device_id, dedupe_key),
  constraint push_messages_device_id_fkey FOREIGN KEY (device_id) REFERENCES push_devices(id) ON DELETE CASCADE,
  constraint push_messages_href_check CHECK (href ~~ '/%'::text)
);
CREATE INDEX push_messages_due ON push_messages USING btree (next_try_at);

create table rate_counters (
  key text not null,
  hits integer not null,
  ends_at timestamp with time zone not null,
  constraint rate_counters_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_counters_ends_at ON rate_counters USING btree (ends_at);

create table reconciliations (
  id uuid not null,
  started_at timestamp with time zone not null default clock_timestamp(),
  finished_at timestamp with time zone,
  compared integer not null default 0,
  differences jsonb not null default '[]'::jsonb,
  constraint reconciliations_pkey PRIMARY KEY (id)
);
CREATE INDEX reconciliations_started ON reconciliations USING btree (started_at);

create table refunded_cards (
  card_hash bytea not null,
  refunded_at timestamp with time zone not null default clock_timestamp(),
  constraint refunded_cards_pkey PRIMARY KEY (card_hash)
);

create table refunded_identities (
  hash bytea not null,
  refunded_on date not null,
  constraint refunded_identities_pkey PRIMARY KEY (hash)
);
CREATE INDEX refunded_identities_on ON refunded_identities USING btree (refunded_on);

create table reports (
  id uuid not null,
  case_id uuid not null,
  reporter_id uuid not null,
  review_id uuid not null,
  reason text not null,
  explanation text,
  version integer,
  created_at timestamp with time zone not null default clock_timestamp(),
  withdrawn_at timestamp with time zone,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_case_id_fkey FOREIGN KEY (case_id) REFERENCES cases(id),
  constraint reports_case_id_reporter_id_key UNIQUE (case_id, reporter_id),
  constraint reports_explanation_check CHECK (length(explanation) >= 1 AND length(explanation) <= 1000),
  constraint reports_reason_check CHECK (reason = ANY (ARRAY['not_visible'::text, 'other_product'::text, 'not_bought'::text, 'no_use'::text, 'copied'::text, 'too_short'::text, 'disclosure_missing'::text, 'personal_data'::text, 'abusive'::text, 'unlawful'::text, 'broken'::text, 'not_as_described'::text, 'not_theirs'::text, 'asks_for_stars'::text, 'rewards'::text])),
  constraint reports_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES members(id),
  constraint reports_review_id_fkey FOREIGN KEY (review_id) REFERENCES reviews(id)
);
CREATE INDEX reports_of_reporter ON reports USING btree (reporter_id, created_at DESC, id DESC);
CREATE INDEX reports_of_review ON reports USING btree (review_id);

create table reserved_usernames (
  username text not null,
  member_id uuid,
  reserved_until timestamp with time zone not null,
  constraint reserved_usernames_pkey PRIMARY KEY (username),
  constraint reserved_usernames_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE SET NULL,
  constraint reserved_usernames_username_check CHECK (username ~ '^[a-z][a-z0-9_-]{2,19}$'::text)
);
CREATE INDEX reserved_usernames_member_id ON reserved_usernames USING btree (member_id);

create table restore_drills (
  id uuid not null,
  finished_at timestamp with time zone not null default clock_timestamp(),
  snapshot_at timestamp with time zone,
  seconds integer not null,
  rows bigint not null,
  files integer not null,
  fault text,
  constraint restore_drills_pkey PRIMARY KEY (id),
  constraint restore_drills_check CHECK (fault IS NOT NULL OR snapshot_at IS NOT NULL),
  constraint restore_drills_fault_check CHECK (length(fault) <= 300),
  constraint restore_drills_files_check CHECK (files >= 0),
  constraint restore_drills_rows_check CHECK (rows >= 0),
  constraint restore_drills_seconds_check CHECK (seconds >= 0)
);
CREATE INDEX restore_drills_latest ON restore_drills USING btree (finished_at DESC);

create table review_cards (
  product_id uuid not null,
  key text not null default translate(encode(uuid_send(gen_random_uuid()), 'base64'::text), '+/='::text, '-_'::text),
  shown boolean not null,
  changed_at timestamp with time zone not null default clock_timestamp(),
  constraint review_cards_pkey PRIMARY KEY (product_id),
  constraint review_cards_key_key UNIQUE (key),
  constraint review_cards_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id)
);

create table review_passages (
  hash integer not null,
  review_id uuid not null,
  constraint review_passages_pkey PRIMARY KEY (hash, review_id)
);

create table review_queue (
  id uuid not null,
  product_id uuid not null,
  seller_id uuid not null,
  status text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  prio_at timestamp with time zone not null,
  offered_to uuid,
  offered_at timestamp with time zone,
  offer_expires_at timestamp with time zone,
  reviewer_id uuid,
  accepted_at timestamp with time zone,
  completed_at timestamp with time zone,
  closed_at timestamp with time zone,
  attempts integer not null default 0,
  nudged_at timestamp with time zone,
  lottery_day date not null,
  lottery_ticket bigint not null,
  lottery_nonce bytea not null,
  lottery_commit bytea not null,
  lottery_key bytea not null,
  listing_id uuid not null,
  asked_at timestamp with time zone,
  waits_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  waiting_since timestamp with time zone,
  held_at timestamp with time zone,
  beacon_chain bytea,
  beacon_from timestamp with time zone,
  beacon_round bigint,
  beacon_signature bytea,
  resumes_by timestamp with time zone,
  constraint review_queue_pkey PRIMARY KEY (id),
  constraint review_queue_beacon CHECK ((num_nonnulls(beacon_chain, beacon_from, beacon_round) = ANY (ARRAY[0, 3])) AND (beacon_signature IS NULL OR beacon_round IS NOT NULL AND length(beacon_signature) = 48)),
  constraint review_queue_beacon_chain_fkey FOREIGN KEY (beacon_chain) REFERENCES beacon_chains(hash),
  constraint review_queue_cancelled CHECK (status <> 'cancelled'::text OR closed_at IS NOT NULL AND completed_at IS NULL),
  constraint review_queue_check CHECK (offered_to IS NULL OR offered_to <> seller_id),
  constraint review_queue_check1 CHECK (reviewer_id IS NULL OR reviewer_id <> seller_id),
  constraint review_queue_check2 CHECK (asked_at <= created_at),
  constraint review_queue_completed CHECK (status <> 'completed'::text OR reviewer_id IS NOT NULL AND accepted_at IS NOT NULL AND completed_at IS NOT NULL AND closed_at IS NULL),
  constraint review_queue_id_product_id_key UNIQUE (id, product_id),
  constraint review_queue_in_review CHECK (status <> 'in_review'::text OR reviewer_id IS NOT NULL AND offered_to = reviewer_id AND accepted_at IS NOT NULL AND completed_at IS NULL AND closed_at IS NULL),
  constraint review_queue_lapsed CHECK (status <> 'lapsed'::text OR reviewer_id IS NOT NULL AND accepted_at IS NOT NULL AND closed_at IS NOT NULL AND completed_at IS NULL),
  constraint review_queue_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  constraint review_queue_offered CHECK (status <> 'offered'::text OR offered_to IS NOT NULL AND offered_at IS NOT NULL AND offer_expires_at > offered_at AND reviewer_id IS NULL AND accepted_at IS NULL AND completed_at IS NULL AND closed_at IS NULL),
  constraint review_queue_offered_to_fkey FOREIGN KEY (offered_to) REFERENCES members(id),
  constraint review_queue_product_id_seller_id_fkey FOREIGN KEY (product_id, seller_id) REFERENCES products(id, seller_id),
  constraint review_queue_queued CHECK ((status <> ALL (ARRAY['queued'::text, 'held'::text])) OR offered_to IS NULL AND offered_at IS NULL AND offer_expires_at IS NULL AND reviewer_id IS NULL AND accepted_at IS NULL AND completed_at IS NULL AND closed_at IS NULL),
  constraint review_queue_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES members(id),
  constraint review_queue_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES members(id),
  constraint review_queue_status_check CHECK (status = ANY (ARRAY['queued'::text, 'held'::text, 'offered'::text, 'in_review'::text, 'completed'::text, 'cancelled'::text, 'lapsed'::text]))
);
CREATE INDEX review_queue_awaits_beacon ON review_queue USING btree (beacon_from) WHERE ((beacon_round IS NOT NULL) AND (beacon_signature IS NULL));
CREATE INDEX review_queue_completed_at ON review_queue USING btree (completed_at) WHERE (status = 'completed'::text);
CREATE INDEX review_queue_created ON review_queue USING btree (created_at DESC, id DESC);
CREATE INDEX review_queue_expiry ON review_queue USING btree (offer_expires_at) WHERE (status = 'offered'::text);
CREATE INDEX review_queue_newest ON review_queue USING btree (product_id, created_at DESC, id DESC);
CREATE INDEX review_queue_of_listing ON review_queue USING btree (listing_id, created_at DESC, id DESC);
CREATE INDEX review_queue_of_reviewer ON review_queue USING btree (reviewer_id) WHERE (reviewer_id IS NOT NULL);
CREATE INDEX review_queue_of_seller ON review_queue USING btree (seller_id, created_at DESC, id DESC);
CREATE INDEX review_queue_offered ON review_queue USING btree (offered_to) WHERE (offered_to IS NOT NULL);
CREATE UNIQUE INDEX review_queue_once ON review_queue USING btree (listing_id, reviewer_id) WHERE (status = ANY (ARRAY['in_review'::text, 'completed'::text]));
CREATE UNIQUE INDEX review_queue_one_offer ON review_queue USING btree (offered_to) WHERE (status = 'offered'::text);
CREATE UNIQUE INDEX review_queue_one_open ON review_queue USING btree (listing_id) WHERE (status = ANY (ARRAY['queued'::text, 'held'::text, 'offered'::text, 'in_review'::text]));
CREATE INDEX review_queue_order ON review_queue USING btree (prio_at, id) WHERE (status = 'queued'::text);
CREATE INDEX review_queue_seller ON review_queue USING btree (seller_id) WHERE (status = ANY (ARRAY['queued'::text, 'held'::text, 'offered'::text, 'in_review'::text]));
CREATE TRIGGER review_queue_on_hold BEFORE UPDATE OF status ON review_queue FOR EACH ROW WHEN (((old.status = 'held'::text) <> (new.status = 'held'::text))) EXECUTE FUNCTION skip_time_on_hold();

create table review_versions (
  review_id uuid not null,
  version integer not null,
  rating smallint not null,
  body text not null,
  used_for text not null,
  not_for text not null,
  ai_assisted boolean not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  lane text,
  constraint review_versions_pkey PRIMARY KEY (review_id, version),
  constraint review_versions_lane_check CHECK (lane = ANY (ARRAY['public'::text, 'private'::text, 'closed'::text])),
  constraint review_versions_review_id_fkey FOREIGN KEY (review_id) REFERENCES reviews(id),
  constraint review_versions_version_check CHECK (version > 0)
);
CREATE INDEX review_versions_body ON review_versions USING gin (body gin_trgm_ops) WITH (fastupdate=off);

create table reviewer_states (
  member_id uuid not null,
  standing text not null default 'out'::text,
  balance smallint not null default 0,
  pending_give smallint not null default 0,
  pending_take smallint not null default 0,
  open_requests smallint not null default 0,
  give_first boolean not null default false,
  here_until timestamp with time zone,
  last_seen_at timestamp with time zone,
  standby boolean not null default false,
  cooldown_until timestamp with time zone,
  last_decline_reset timestamp with time zone,
  available_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  open_offer_id uuid,
  turn_at timestamp with time zone not null default clock_timestamp(),
  audit_key bytea not null,
  tier smallint not null default 9,
  quiet_from timestamp with time zone,
  quiet_until timestamp with time zone,
  nudged_at timestamp with time zone,
  refusals smallint not null default 0,
  rest_until timestamp with time zone,
  band smallint not null generated always as (
CASE
    WHEN ((balance + pending_give) >= 1) THEN LEAST(((balance + pending_give) + 4), 8)
    ELSE ((2 * (GREATEST(((((balance + pending_give) - pending_take) - open_requests))::integer, '-2'::integer) + 2)) + (((refusals >= 10) AND ((((balance + pending_give) - pending_take) - open_requests) < 0)))::integer)
END) stored,
  constraint reviewer_states_pkey PRIMARY KEY (member_id),
  constraint reviewer_states_audit_key_check CHECK (length(audit_key) = 32),
  constraint reviewer_states_check CHECK ((quiet_from IS NULL) = (quiet_until IS NULL) AND quiet_from < quiet_until),
  constraint reviewer_states_check1 CHECK (rest_until IS NULL OR refusals > 0),
  constraint reviewer_states_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint reviewer_states_open_offer FOREIGN KEY (open_offer_id) REFERENCES offers(id) DEFERRABLE INITIALLY DEFERRED,
  constraint reviewer_states_open_requests_check CHECK (open_requests >= 0),
  constraint reviewer_states_pending_give_check CHECK (pending_give >= 0),
  constraint reviewer_states_pending_take_check CHECK (pending_take >= 0),
  constraint reviewer_states_refusals_check CHECK (refusals >= 0),
  constraint reviewer_states_standing_check CHECK (standing = ANY (ARRAY['in'::text, 'paused'::text, 'out'::text])),
  constraint reviewer_states_tier_check CHECK (tier = ANY (ARRAY[0, 1, 2, 8, 9]))
);
CREATE INDEX reviewer_states_here ON reviewer_states USING btree (here_until) WHERE (tier = 0);
CREATE INDEX reviewer_states_out ON reviewer_states USING btree (balance, pending_take) WHERE ((standing = 'out'::text) AND (balance <> pending_take));
CREATE INDEX reviewer_states_quiet_begins ON reviewer_states USING btree (quiet_from) WHERE ((tier < 8) AND (quiet_from IS NOT NULL));
CREATE INDEX reviewer_states_quiet_ends ON reviewer_states USING btree (quiet_until) WHERE (quiet_until IS NOT NULL);
CREATE INDEX reviewer_states_rotation ON reviewer_states USING btree (tier, band, turn_at, member_id) WHERE (tier < 9);
CREATE INDEX reviewer_states_seen ON reviewer_states USING btree (last_seen_at) WHERE (tier = 1);
CREATE INDEX reviewer_states_wake ON reviewer_states USING btree (GREATEST(available_at, rest_until)) WHERE ((tier = 9) AND (standing = 'in'::text) AND (open_offer_id IS NULL));

create table reviews (
  id uuid not null,
  queue_id uuid not null,
  product_id uuid not null,
  reviewer_id uuid not null,
  seller_id uuid not null,
  marketplace_id uuid not null,
  status text not null,
  accepted_at timestamp with time zone not null,
  purchase_due_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  coupon_opened_at timestamp with time zone,
  coupon_opens integer not null default 0,
  coupon_price_cents integer,
  purchased_at timestamp with time zone,
  usable_from timestamp with time zone,
  submitted_at timestamp with time zone,
  confirm_due_at timestamp with time zone,
  returned_at timestamp with time zone,
  return_reason text,
  return_due_at timestamp with time zone,
  returns smallint not null default 0,
  verified_at timestamp with time zone,
  verified_by text,
  lapsed_at timestamp with time zone,
  rating smallint,
  body text,
  used_for text,
  not_for text,
  ai_assisted boolean not null default false,
  disclosure text not null,
  posted_link text,
  draft jsonb,
  draft_saved_at timestamp with time zone,
  listing_id uuid not null,
  ended_by_staff boolean not null default false,
  held_at timestamp with time zone,
  removed_at timestamp with time zone,
  closure_id uuid,
  receipt_key text not null default translate(encode(uuid_send(gen_random_uuid()), 'base64'::text), '+/='::text, '-_'::text),
  constraint reviews_pkey PRIMARY KEY (id),
  constraint reviews_body_check CHECK (length(body) <= 9000),
  constraint reviews_check CHECK (reviewer_id <> seller_id),
  constraint reviews_check1 CHECK (due_at > accepted_at AND purchase_due_at > accepted_at),
  constraint reviews_closure_id_fkey FOREIGN KEY (closure_id) REFERENCES marketplace_closures(id),
  constraint reviews_confirm CHECK ((status = 'reviewed'::text) = (confirm_due_at IS NOT NULL)),
  constraint reviews_coupon_opens_check CHECK (coupon_opens >= 0),
  constraint reviews_ended_by_closure CHECK (closure_id IS NULL OR status = 'lapsed'::text),
  constraint reviews_ended_by_staff CHECK (NOT ended_by_staff OR status = 'lapsed'::text),
  constraint reviews_held CHECK (held_at IS NULL OR status = 'reviewed'::text),
  constraint reviews_id_reviewer_id_key UNIQUE (id, reviewer_id),
  constraint reviews_lapsed CHECK ((status = 'lapsed'::text) = (lapsed_at IS NOT NULL)),
  constraint reviews_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  constraint reviews_marketplace_id_fkey FOREIGN KEY (marketplace_id) REFERENCES marketplaces(id),
  constraint reviews_not_for_check CHECK (length(not_for) <= 500),
  constraint reviews_pending CHECK (status <> 'pending'::text OR purchased_at IS NULL AND submitted_at IS NULL),
  constraint reviews_posted_link_check CHECK (posted_link ~~ 'https://%'::text AND length(posted_link) <= 2048),
  constraint reviews_purchased CHECK (status <> 'purchased'::text OR purchased_at IS NOT NULL AND submitted_at IS NULL),
  constraint reviews_queue_id_key UNIQUE (queue_id),
  constraint reviews_queue_id_product_id_fkey FOREIGN KEY (queue_id, product_id) REFERENCES review_queue(id, product_id),
  constraint reviews_rating_check CHECK (rating >= 1 AND rating <= 5),
  constraint reviews_receipt_key_key UNIQUE (receipt_key),
  constraint reviews_removed CHECK (removed_at IS NULL OR status = 'verified'::text),
  constraint reviews_return_reason_check CHECK (return_reason = ANY (ARRAY['not_visible'::text, 'other_product'::text, 'not_bought'::text, 'no_use'::text, 'copied'::text, 'too_short'::text, 'disclosure_missing'::text, 'personal_data'::text, 'abusive'::text, 'unlawful'::text])),
  constraint reviews_returned CHECK ((status = 'returned'::text) = (return_due_at IS NOT NULL)),
  constraint reviews_returns_check CHECK (returns >= 0),
  constraint reviews_reviewed CHECK ((status <> ALL (ARRAY['reviewed'::text, 'returned'::text, 'verified'::text])) OR purchased_at IS NOT NULL AND submitted_at IS NOT NULL AND rating IS NOT NULL AND body IS NOT NULL AND used_for IS NOT NULL AND not_for IS NOT NULL),
  constraint reviews_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES members(id),
  constraint reviews_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES members(id),
  constraint reviews_status_check CHECK (status = ANY (ARRAY['pending'::text, 'purchased'::text, 'reviewed'::text, 'returned'::text, 'verified'::text, 'lapsed'::text])),
  constraint reviews_used_for_check CHECK (length(used_for) <= 500),
  constraint reviews_verified CHECK ((status = 'verified'::text) = (verified_at IS NOT NULL) AND (verified_at IS NULL) = (verified_by IS NULL)),
  constraint reviews_verified_by_check CHECK (verified_by = ANY (ARRAY['seller'::text, 'time'::text, 'staff'::text]))
);
CREATE INDEX reviews_barring ON reviews USING btree (reviewer_id, listing_id) WHERE ((status <> 'lapsed'::text) OR (purchased_at IS NOT NULL));
CREATE INDEX reviews_confirm_due ON reviews USING btree (confirm_due_at) WHERE (status = 'reviewed'::text);
CREATE INDEX reviews_due ON reviews USING btree (due_at) WHERE (status = ANY (ARRAY['pending'::text, 'purchased'::text]));
CREATE INDEX reviews_in_progress ON reviews USING btree (marketplace_id, id) WHERE (status = ANY (ARRAY['pending'::text, 'purchased'::text, 'returned'::text]));
CREATE INDEX reviews_of_listing ON reviews USING btree (listing_id);
CREATE INDEX reviews_of_reviewer ON reviews USING btree (reviewer_id, accepted_at DESC, id DESC);
CREATE INDEX reviews_of_seller ON reviews USING btree (seller_id, accepted_at DESC, id DESC);
CREATE UNIQUE INDEX reviews_once ON reviews USING btree (reviewer_id, listing_id) WHERE (status <> 'lapsed'::text);
CREATE INDEX reviews_open_of_reviewer ON reviews USING btree (reviewer_id, accepted_at DESC, id DESC) WHERE (status <> ALL (ARRAY['verified'::text, 'lapsed'::text]));
CREATE INDEX reviews_open_of_seller ON reviews USING btree (seller_id, accepted_at DESC, id DESC) WHERE (status <> ALL (ARRAY['verified'::text, 'lapsed'::text]));
CREATE INDEX reviews_return_due ON reviews USING btree (return_due_at) WHERE (status = 'returned'::text);
CREATE INDEX reviews_standing_of_listing ON reviews USING btree (listing_id, verified_at DESC, id DESC) WHERE ((status = 'verified'::text) AND (removed_at IS NULL));
CREATE TRIGGER reviews_passages AFTER INSERT ON reviews FOR EACH ROW WHEN ((new.body IS NOT NULL)) EXECUTE FUNCTION keep_passages();
CREATE TRIGGER reviews_passages_changed AFTER UPDATE OF body ON reviews FOR EACH ROW WHEN ((old.body IS DISTINCT FROM new.body)) EXECUTE FUNCTION keep_passages();

create table ring_searches (
  day date not null,
  length smallint not null,
  members integer not null,
  reviews integer not null,
  circles bigint not null,
  by_chance double precision not null,
  constraint ring_searches_pkey PRIMARY KEY (day, length),
  constraint ring_searches_by_chance_check CHECK (by_chance >= 0::double precision),
  constraint ring_searches_circles_check CHECK (circles >= 0),
  constraint ring_searches_length_check CHECK (length = ANY (ARRAY[3, 4])),
  constraint ring_searches_members_check CHECK (members >= 0),
  constraint ring_searches_reviews_check CHECK (reviews >= 0)
);

create table rings (
  id uuid not null,
  members uuid[] not null,
  reviews integer not null,
  by_chance double precision not null,
  first_found_at timestamp with time zone not null default clock_timestamp(),
  last_found_at timestamp with time zone not null default clock_timestamp(),
  constraint rings_pkey PRIMARY KEY (id),
  constraint rings_by_chance_check CHECK (by_chance >= 0::double precision),
  constraint rings_check CHECK (reviews >= cardinality(members)),
  constraint rings_members_check CHECK (cardinality(members) = ANY (ARRAY[3, 4])),
  constraint rings_members_key UNIQUE (members)
);
CREATE INDEX rings_last_found ON rings USING btree (last_found_at DESC, id DESC);
CREATE INDEX rings_of ON rings USING gin (members);

create table role_changes (
  id bigint not null,
  member_id uuid not null,
  old_role text not null,
  new_role text not null,
  login text not null default SESSION_USER,
  changed_at timestamp with time zone not null default clock_timestamp(),
  actor_id uuid,
  constraint role_changes_pkey PRIMARY KEY (id),
  constraint role_changes_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES members(id),
  constraint role_changes_check CHECK (old_role <> new_role),
  constraint role_changes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id)
);
CREATE INDEX role_changes_by ON role_changes USING btree (actor_id, id DESC);
CREATE INDEX role_changes_of ON role_changes USING btree (member_id, id DESC);

create table rotation_figures (
  one boolean not null default true,
  members integer not null default 0,
  weekly_rate real not null default 0,
  pair_window_days integer default 14,
  typical_wait_hours real,
  refreshed_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  reverse_window_days integer default 42,
  live_offers integer not null default 0,
  answered_in_session integer not null default 0,
  live_offer_minutes integer not null default 30,
  constraint rotation_figures_pkey PRIMARY KEY (one),
  constraint rotation_figures_one_check CHECK (one)
);

create table sanctions (
  id uuid not null,
  member_id uuid not null,
  decision_id uuid not null,
  kind text not null,
  until timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  lifted_at timestamp with time zone,
  constraint sanctions_pkey PRIMARY KEY (id),
  constraint sanctions_check CHECK ((kind = 'suspension'::text) = (until IS NOT NULL)),
  constraint sanctions_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES case_decisions(id),
  constraint sanctions_decision_id_key UNIQUE (decision_id),
  constraint sanctions_kind_check CHECK (kind = ANY (ARRAY['reminder'::text, 'warning'::text, 'suspension'::text])),
  constraint sanctions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id)
);
CREATE INDEX sanctions_of_member ON sanctions USING btree (member_id, created_at DESC);

create table saved_replies (
  id uuid not null,
  title text not null,
  body text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  changed_at timestamp with time zone not null default clock_timestamp(),
  constraint saved_replies_pkey PRIMARY KEY (id),
  constraint saved_replies_body_check CHECK (length(body) >= 1 AND length(body) <= 5000),
  constraint saved_replies_title_check CHECK (length(title) >= 1 AND length(title) <= 80)
);
CREATE UNIQUE INDEX saved_replies_title ON saved_replies USING btree (lower(title));

create table security_events (
  id uuid not null,
  kind text not null,
  actor_id uuid,
  network text,
  object text not null,
  request_id uuid not null,
  minute timestamp with time zone not null,
  count integer not null,
  constraint security_events_pkey PRIMARY KEY (id),
  constraint security_events_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES members(id),
  constraint security_events_count_check CHECK (count > 0),
  constraint security_events_kind_check CHECK (kind = ANY (ARRAY['foreign_row'::text, 'foreign_origin'::text, 'missing_right'::text])),
  constraint security_events_object_check CHECK (length(object) <= 200)
);
CREATE INDEX security_events_actor_id ON security_events USING btree (actor_id);
CREATE INDEX security_events_minute ON security_events USING btree (minute);
CREATE UNIQUE INDEX security_events_one_a_minute ON security_events USING btree (COALESCE((actor_id)::text, network, ''::text), kind, minute);

create table sessions (
  id uuid not null,
  token text not null,
  member_id uuid not null,
  expires_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null default clock_timestamp(),
  ip_address text,
  user_agent text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  confirmed_at timestamp with time zone not null default clock_timestamp(),
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_absolute_end CHECK ((expires_at - created_at) <= '30 days 00:01:00'::interval),
  constraint sessions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint sessions_token_key UNIQUE (token)
);
CREATE INDEX sessions_member_id ON sessions USING btree (member_id);
CREATE TRIGGER sessions_member_lives BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table shops (
  id uuid not null,
  member_id uuid not null,
  marketplace_id uuid not null,
  name text not null,
  address text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint shops_pkey PRIMARY KEY (id),
  constraint shops_address_check CHECK (length(address) >= 1 AND length(address) <= 300),
  constraint shops_marketplace_id_fkey FOREIGN KEY (marketplace_id) REFERENCES marketplaces(id),
  constraint shops_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint shops_member_id_marketplace_id_key UNIQUE (member_id, marketplace_id),
  constraint shops_name_check CHECK (length(name) >= 1 AND length(name) <= 80)
);
CREATE INDEX shops_of_address ON shops USING btree (address);
CREATE INDEX shops_of_marketplace ON shops USING btree (marketplace_id);
CREATE TRIGGER shops_member_lives BEFORE INSERT ON shops FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table sign_in_states (
  id uuid not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint sign_in_states_pkey PRIMARY KEY (id)
);
CREATE INDEX sign_in_states_identifier ON sign_in_states USING btree (identifier);

create table signing_keys (
  id text not null,
  public_key bytea not null,
  first_used_at timestamp with time zone not null default clock_timestamp(),
  constraint signing_keys_pkey PRIMARY KEY (id),
  constraint signing_keys_public_key_check CHECK (length(public_key) = 32)
);

create table similar_proofs (
  proof_id uuid not null,
  similar_to uuid not null,
  bits_apart smallint not null,
  found_at timestamp with time zone not null default clock_timestamp(),
  constraint similar_proofs_pkey PRIMARY KEY (proof_id, similar_to),
  constraint similar_proofs_bits_apart_check CHECK (bits_apart >= 0),
  constraint similar_proofs_check CHECK (proof_id <> similar_to),
  constraint similar_proofs_proof_id_fkey FOREIGN KEY (proof_id) REFERENCES proofs(id),
  constraint similar_proofs_similar_to_fkey FOREIGN KEY (similar_to) REFERENCES proofs(id)
);
CREATE INDEX similar_proofs_found ON similar_proofs USING btree (found_at DESC);
CREATE INDEX similar_proofs_to ON similar_proofs USING btree (similar_to);

create table similar_texts (
  id uuid not null,
  review_id uuid not null,
  version integer not null,
  similar_to uuid,
  share real not null,
  found_at timestamp with time zone not null default clock_timestamp(),
  constraint similar_texts_pkey PRIMARY KEY (id),
  constraint similar_texts_check CHECK (similar_to <> review_id),
  constraint similar_texts_review_id_version_fkey FOREIGN KEY (review_id, version) REFERENCES review_versions(review_id, version) ON DELETE CASCADE,
  constraint similar_texts_review_id_version_similar_to_key UNIQUE NULLS NOT DISTINCT (review_id, version, similar_to),
  constraint similar_texts_share_check CHECK (share >= 0::double precision AND share <= 1::double precision),
  constraint similar_texts_similar_to_fkey FOREIGN KEY (similar_to) REFERENCES reviews(id)
);
CREATE INDEX similar_texts_of_version ON similar_texts USING btree (review_id, version);
CREATE INDEX similar_texts_to ON similar_texts USING btree (similar_to) WHERE (similar_to IS NOT NULL);

create table site_figures (
  one boolean not null default true,
  figures jsonb not null,
  measured_at timestamp with time zone not null default clock_timestamp(),
  constraint site_figures_pkey PRIMARY KEY (one),
  constraint site_figures_one_check CHECK (one)
);

create table staff_actions (
  id uuid not null,
  actor_id uuid,
  action text not null,
  member_id uuid,
  subject text,
  subject_id uuid,
  reason text,
  before jsonb,
  after jsonb,
  at timestamp with time zone not null default clock_timestamp(),
  constraint staff_actions_pkey PRIMARY KEY (id),
  constraint staff_actions_action_check CHECK (action ~ '^[a-z][a-z_]*$'::text),
  constraint staff_actions_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES members(id),
  constraint staff_actions_check CHECK ((subject IS NULL) = (subject_id IS NULL)),
  constraint staff_actions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  constraint staff_actions_reason_check CHECK (length(reason) >= 1 AND length(reason) <= 2000),
  constraint staff_actions_subject_check CHECK (subject ~ '^[a-z][a-z_]*$'::text)
);
CREATE INDEX staff_actions_at ON staff_actions USING btree (at DESC, id DESC);
CREATE INDEX staff_actions_of_actor ON staff_actions USING btree (actor_id, at DESC, id DESC);
CREATE INDEX staff_actions_of_member ON staff_actions USING btree (member_id, at DESC, id DESC);
CREATE INDEX staff_actions_of_subject ON staff_actions USING btree (subject_id, at DESC, id DESC);
CREATE TRIGGER staff_actions_stay BEFORE DELETE OR UPDATE ON staff_actions FOR EACH ROW EXECUTE FUNCTION refuse_change_of_staff_action();

create table status_checks (
  part text not null,
  at timestamp with time zone not null,
  ok boolean not null,
  took_ms integer not null,
  note text,
  constraint status_checks_pkey PRIMARY KEY (part, at),
  constraint status_checks_at_check CHECK ((EXTRACT(epoch FROM at) % 60::numeric) = 0::numeric),
  constraint status_checks_note_check CHECK (length(note) <= 200),
  constraint status_checks_part_check CHECK (part = ANY (ARRAY['website'::text, 'database'::text, 'jobs'::text, 'mail'::text, 'live'::text, 'files'::text])),
  constraint status_checks_took_ms_check CHECK (took_ms >= 0)
);
CREATE INDEX status_checks_at ON status_checks USING btree (at);
CREATE INDEX status_checks_failed ON status_checks USING btree (part, at) WHERE (NOT ok);

create table status_days (
  part text not null,
  day date not null,
  checks integer not null,
  failed integer not null,
  worst text not null,
  constraint status_days_pkey PRIMARY KEY (part, day),
  constraint status_days_check CHECK (failed >= 0 AND failed <= checks),
  constraint status_days_check1 CHECK ((failed = 0) = (worst = 'operational'::text)),
  constraint status_days_checks_check CHECK (checks > 0),
  constraint status_days_part_check CHECK (part = ANY (ARRAY['website'::text, 'database'::text, 'jobs'::text, 'mail'::text, 'live'::text, 'files'::text])),
  constraint status_days_worst_check CHECK (worst = ANY (ARRAY['operational'::text, 'degraded'::text, 'down'::text]))
);
CREATE INDEX status_days_day ON status_days USING btree (day);

create table storage_figures (
  single boolean not null default true,
  files bigint not null,
  bytes bigint not null,
  measured_at timestamp with time zone not null default clock_timestamp(),
  missing integer,
  swept_at timestamp with time zone,
  constraint storage_figures_pkey PRIMARY KEY (single),
  constraint storage_figures_bytes_check CHECK (bytes >= 0),
  constraint storage_figures_files_check CHECK (files >= 0),
  constraint storage_figures_missing_check CHECK (missing >= 0),
  constraint storage_figures_single_check CHECK (single)
);

create table strikes (
  id uuid not null,
  member_id uuid not null,
  review_id uuid,
  created_at timestamp with time zone not null default clock_timestamp(),
  report_id uuid,
  withdrawn_at timestamp with time zone,
  constraint strikes_pkey PRIMARY KEY (id),
  constraint strikes_for_one_thing CHECK ((review_id IS NULL) <> (report_id IS NULL)),
  constraint strikes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  constraint strikes_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id),
  constraint strikes_report_id_key UNIQUE (report_id),
  constraint strikes_review_id_fkey FOREIGN KEY (review_id) REFERENCES reviews(id),
  constraint strikes_review_id_key UNIQUE (review_id)
);
CREATE INDEX strikes_of ON strikes USING btree (member_id, created_at);

create table stripe_events (
  id text not null,
  type text not null,
  customer_id text,
  payment_id text,
  created_at timestamp with time zone not null,
  received_at timestamp with time zone not null default clock_timestamp(),
  processed_at timestamp with time zone,
  constraint stripe_events_pkey PRIMARY KEY (id)
);
CREATE INDEX stripe_events_received ON stripe_events USING btree (received_at);
CREATE INDEX stripe_events_waiting ON stripe_events USING btree (received_at) WHERE (processed_at IS NULL);

create table support_entries (
  id uuid not null,
  message_id uuid not null,
  kind text not null,
  author_id uuid not null,
  body text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint support_entries_pkey PRIMARY KEY (id),
  constraint support_entries_author_id_fkey FOREIGN KEY (author_id) REFERENCES members(id),
  constraint support_entries_body_check CHECK (length(body) >= 1 AND length(body) <= 5000),
  constraint support_entries_kind_check CHECK (kind = ANY (ARRAY['answer'::text, 'reply'::text, 'note'::text])),
  constraint support_entries_message_id_fkey FOREIGN KEY (message_id) REFERENCES support_messages(id) ON DELETE CASCADE
);
CREATE INDEX support_entries_of_author ON support_entries USING btree (author_id);
CREATE INDEX support_entries_of_message ON support_entries USING btree (message_id, created_at, id);

create table support_messages (
  id uuid not null,
  member_id uuid,
  name text not null,
  email text not null,
  category text not null,
  subject text not null,
  message text not null,
  status text not null default 'open'::text,
  created_at timestamp with time zone not null default clock_timestamp(),
  resolved_at timestamp with time zone,
  via text not null default 'contact'::text,
  assigned_to uuid,
  version integer not null default 1,
  constraint support_messages_pkey PRIMARY KEY (id),
  constraint support_messages_account CHECK (via = 'contact'::text OR member_id IS NOT NULL),
  constraint support_messages_assigned_to_fkey FOREIGN KEY (assigned_to) REFERENCES members(id) ON DELETE SET NULL,
  constraint support_messages_category_check CHECK (category = ANY (ARRAY['account'::text, 'exchange'::text, 'product'::text, 'billing'::text, 'other'::text])),
  constraint support_messages_check CHECK ((status = 'resolved'::text) = (resolved_at IS NOT NULL)),
  constraint support_messages_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE SET NULL,
  constraint support_messages_message_check CHECK (length(message) >= 1 AND length(message) <= 5000),
  constraint support_messages_status_check CHECK (status = ANY (ARRAY['open'::text, 'resolved'::text])),
  constraint support_messages_subject_check CHECK (length(subject) >= 1 AND length(subject) <= 140),
  constraint support_messages_version_check CHECK (version > 0),
  constraint support_messages_via_check CHECK (via = ANY (ARRAY['account'::text, 'contact'::text]))
);
CREATE INDEX support_messages_assigned ON support_messages USING btree (assigned_to) WHERE (assigned_to IS NOT NULL);
CREATE INDEX support_messages_created ON support_messages USING btree (created_at DESC, id DESC);
CREATE INDEX support_messages_of_address ON support_messages USING btree (lower(email), created_at DESC, id DESC);
CREATE INDEX support_messages_of_member ON support_messages USING btree (member_id, created_at DESC, id DESC);
CREATE INDEX support_messages_open ON support_messages USING btree (created_at DESC, id DESC) WHERE (status = 'open'::text);
CREATE TRIGGER support_messages_member_lives BEFORE INSERT ON support_messages FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table taken_tickets (
  listing_id uuid not null,
  seller_id uuid not null,
  day date not null,
  ticket bigint not null,
  constraint taken_tickets_pkey PRIMARY KEY (listing_id, seller_id),
  constraint taken_tickets_day_fkey FOREIGN KEY (day) REFERENCES lottery_days(day),
  constraint taken_tickets_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE,
  constraint taken_tickets_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint taken_tickets_ticket_key UNIQUE (ticket)
);
CREATE INDEX taken_tickets_day ON taken_tickets USING btree (day);
CREATE INDEX taken_tickets_seller ON taken_tickets USING btree (seller_id);

create table two_factor_secrets (
  id uuid not null,
  member_id uuid not null,
  secret text not null,
  backup_codes text not null,
  verified boolean default true,
  failed_verification_count integer default 0,
  locked_until timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  pending_secret text,
  constraint two_factor_secrets_pkey PRIMARY KEY (id),
  constraint two_factor_secrets_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX two_factor_secrets_member_id ON two_factor_secrets USING btree (member_id);
CREATE TRIGGER two_factor_secrets_member_lives BEFORE INSERT ON two_factor_secrets FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table unusable_formats (
  id uuid not null,
  member_id uuid not null,
  category text not null,
  format text,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint unusable_formats_pkey PRIMARY KEY (id),
  constraint unusable_formats_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX unusable_formats_once ON unusable_formats USING btree (member_id, category, COALESCE(format, ''::text));
CREATE TRIGGER unusable_formats_member_lives BEFORE INSERT ON unusable_formats FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table unwanted_offers (
  id uuid not null,
  member_id uuid not null,
  listing_id uuid,
  category text,
  created_at timestamp with time zone not null default clock_timestamp(),
  ends_at timestamp with time zone,
  constraint unwanted_offers_pkey PRIMARY KEY (id),
  constraint unwanted_offers_category_check CHECK (category = ANY (ARRAY['template'::text, 'tool'::text, 'design'::text, 'guide'::text, 'course'::text, 'audio'::text, 'video'::text, 'other'::text])),
  constraint unwanted_offers_check CHECK (ends_at > created_at),
  constraint unwanted_offers_check1 CHECK (num_nonnulls(listing_id, category) = 1),
  constraint unwanted_offers_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  constraint unwanted_offers_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX unwanted_offers_category ON unwanted_offers USING btree (member_id, category) WHERE (category IS NOT NULL);
CREATE INDEX unwanted_offers_ending ON unwanted_offers USING btree (ends_at) WHERE (ends_at IS NOT NULL);
CREATE UNIQUE INDEX unwanted_offers_listing ON unwanted_offers USING btree (member_id, listing_id) WHERE (listing_id IS NOT NULL);
CREATE INDEX unwanted_offers_of_member ON unwanted_offers USING btree (member_id);
CREATE TRIGGER unwanted_offers_member_lives BEFORE INSERT ON unwanted_offers FOR EACH ROW EXECUTE FUNCTION refuse_erased_member('member_id');

create table used_order_numbers (
  marketplace_id uuid not null,
  hash bytea not null,
  review_id uuid not null,
  used_at timestamp with time zone not null default clock_timestamp(),
  constraint used_order_numbers_pkey PRIMARY KEY (marketplace_id, hash),
  constraint used_order_numbers_hash_check CHECK (length(hash) = 32),
  constraint used_order_numbers_marketplace_id_fkey FOREIGN KEY (marketplace_id) REFERENCES marketplaces(id),
  constraint used_order_numbers_review_id_fkey FOREIGN KEY (review_id) REFERENCES reviews(id)
);
CREATE INDEX used_order_numbers_of ON used_order_numbers USING btree (review_id);

create view declared_pairs as
 SELECT d.member_id AS one,
    d.about_member_id AS other
   FROM declarations d
  WHERE d.about_member_id IS NOT NULL AND (d.ends_at IS NULL OR d.ends_at > statement_timestamp())
UNION ALL
 SELECT d.member_id AS one,
    s.member_id AS other
   FROM declarations d
     JOIN shops s ON s.address = d.address
  WHERE s.member_id <> d.member_id AND (d.ends_at IS NULL OR d.ends_at > statement_timestamp())
UNION ALL
 SELECT d.member_id AS one,
    p.seller_id AS other
   FROM declarations d
     JOIN listings l ON l.marketplace_id = d.marketplace_id AND l.external_id = d.listing
     JOIN products p ON p.listing_id = l.id
  WHERE p.seller_id <> d.member_id AND (d.ends_at IS NULL OR d.ends_at > statement_timestamp())
UNION ALL
 SELECT a.member_id AS one,
    b.member_id AS other
   FROM shops a
     JOIN shops b ON b.address = a.address
  WHERE b.member_id <> a.member_id;

create view standings as
 SELECT member_id,
    erased,
    email_verified,
    username,
    suspended,
    membership_active,
    paused,
        CASE
            WHEN erased OR NOT email_verified OR username IS NULL OR suspended OR NOT membership_active THEN 'out'::text
            WHEN paused THEN 'paused'::text
            ELSE 'in'::text
        END AS standing,
        CASE
            WHEN (status = ANY (ARRAY['active'::text, 'past_due'::text])) AND ended THEN 'ended'::text
            WHEN status <> 'active'::text THEN status
            WHEN paused THEN 'paused'::text
            WHEN ends_at IS NOT NULL THEN 'cancelled'::text
            ELSE 'active'::text
        END AS membership_state
   FROM ( SELECT m.id AS member_id,
            m.erased_at IS NOT NULL AS erased,
            m.email_verified,
            m.username,
            m.suspended_at IS NOT NULL AND (m.suspended_until IS NULL OR m.suspended_until > statement_timestamp()) AS suspended,
            COALESCE(s.status = 'active'::text OR s.status = 'past_due'::text AND s.grace_until > statement_timestamp(), false) AND (s.ends_at IS NULL OR s.ends_at > statement_timestamp()) AS membership_active,
            COALESCE(s.paused_from <= statement_timestamp() AND s.paused_until > statement_timestamp(), false) AS paused,
            COALESCE(s.status, 'none'::text) AS status,
            s.ends_at,
            COALESCE(s.ends_at <= statement_timestamp(), false) AS ended
           FROM members m
             LEFT JOIN memberships s ON s.member_id = m.id) facts;

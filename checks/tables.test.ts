import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

/** The module that writes a table. Any module may read it with a join. */
const owners: Record<string, string> = {
  members: 'members',
  reserved_usernames: 'members',
  erasures: 'members',
  member_notes: 'members',
  sessions: 'accounts',
  login_methods: 'accounts',
  one_time_secrets: 'accounts',
  email_changes: 'accounts',
  sign_in_states: 'sign-in',
  two_factor_secrets: 'sign-in',
  passkeys: 'sign-in',
  notice_preferences: 'notifications',
  data_exports: 'privacy',
  activity_logs: 'kit',
  rate_counters: 'kit',
  idempotency_keys: 'kit',
  events: 'kit',
  mails: 'kit',
  bounced_addresses: 'kit',
  security_events: 'kit',
  demo_mails: 'kit',
  staff_actions: 'kit',
  invariant_runs: 'kit',
  images: 'products',
  memberships: 'membership',
  checkouts: 'membership',
  stripe_events: 'membership',
  membership_orders: 'membership',
  invoices: 'membership',
  disputes: 'membership',
  payer_cards: 'membership',
  refunded_cards: 'membership',
  refunded_identities: 'membership',
  membership_changes: 'membership',
  reconciliations: 'membership',
  role_changes: 'members',
  marketplaces: 'products',
  marketplace_consents: 'products',
  marketplace_versions: 'products',
  marketplace_closures: 'products',
  products: 'products',
  listings: 'products',
  listing_claims: 'products',
  barred_sellers: 'products',
  shops: 'organization',
  declarations: 'organization',
  asking_hours: 'matching',
  ask_alerts: 'matching',
  reviewer_states: 'matching',
  review_queue: 'matching',
  lottery_days: 'matching',
  taken_tickets: 'matching',
  draw_records: 'matching',
  beacon_chains: 'matching',
  match_passes: 'matching',
  offer_notices_due: 'matching',
  offers: 'matching',
  pair_uses: 'matching',
  decline_history: 'matching',
  owned_listings: 'matching',
  conflicts: 'matching',
  unusable_formats: 'matching',
  unwanted_offers: 'matching',
  listing_reports: 'matching',
  rotation_figures: 'matching',
  reviews: 'reviews',
  review_versions: 'reviews',
  proofs: 'reviews',
  used_order_numbers: 'reviews',
  similar_proofs: 'reviews',
  review_passages: 'reviews',
  similar_texts: 'reviews',
  ledger_entries: 'reviews',
  ledger_chain: 'reviews',
  ledger_seals: 'reviews',
  identity_hashes: 'reviews',
  carried_debts: 'reviews',
  debts: 'reviews',
  strikes: 'reviews',
  rings: 'reviews',
  ring_searches: 'reviews',
  review_cards: 'reviews',
  club_medians: 'analytics',
  money_figures: 'admin',
  signing_keys: 'kit',
  notices: 'notifications',
  activity_items: 'notifications',
  push_devices: 'notifications',
  push_messages: 'notifications',
  support_messages: 'support',
  support_entries: 'support',
  saved_replies: 'support',
  cases: 'moderation',
  reports: 'moderation',
  case_decisions: 'moderation',
  appeals: 'moderation',
  sanctions: 'moderation',
  kept_suspensions: 'moderation',
  kept_records: 'moderation',
  flags: 'moderation',
  status_checks: 'site',
  status_days: 'site',
  site_figures: 'site',
  processes: 'site',
  storage_figures: 'site',
  backups: 'site',
  restore_drills: 'site',
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

test('every table has an owner', () => {
  const tables = [...readFileSync('db/schema.sql', 'utf8').matchAll(/^create table (\w+)/gm)].map(
    (match) => match[1] ?? '',
  )
  expect(
    tables.filter((table) => !owners[table]),
    'name the module that writes it',
  ).toEqual([])
  expect(
    Object.keys(owners).filter((table) => !tables.includes(table)),
    'these tables no longer exist',
  ).toEqual([])
})

test('only its owner writes a table', () => {
  const breaches = readSources(['server'])
    .filter(({ path }) => !/^server\/(demo|testing)\//.test(path))
    .flatMap(({ path, text }) => {
      const built = [...text.matchAll(/\.(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)'/g)].map((match) =>
        snake(match[1] ?? ''),
      )
      const raw = [...text.matchAll(/(?:insert into|update|delete from)\s+([a-z_]+)\b/g)].map(
        (match) => match[1] ?? '',
      )
      const old = [...text.matchAll(/\btable: '([a-z_]+)'/g)].map((match) => match[1] ?? '')
      const module = path.split('/')[1]
      return [...built, ...raw, ...old]
        .filter((table) => owners[table] !== undefined && owners[table] !== module)
        .map((table) => `${path}: ${table}`)
    })
  expect(breaches, 'call a function of the module that owns the table').toEqual([])
})

test.each([
  {
    promise: 'only products says whose products a member may manage',
    says: /seller_?id['"`]?\s*(?:[=!]==?|=|<>|in|,\s*'(?:=|!=|in)'\s*,)\s*\(?(?:\$\{)?ctx\.who\.id/i,
    owner: 'server/products/my-products.ts',
    instead: 'canManage',
  },
  {
    promise: 'only membership says in SQL who takes part',
    says: /\bstanding\s*(?:=|<>|!=)\s*'in'/,
    owner: 'server/membership/standings.ts',
    instead: 'isTakingPart or takesPart',
  },
])('$promise', ({ says, owner, instead }) => {
  const breaches = readSources(['server']).filter(({ path, text }) => path !== owner && says.test(text))
  expect(
    breaches.map(({ path }) => path),
    `use ${instead} of ${owner}`,
  ).toEqual([])
})

/** Why rows are deleted with the row they refer to. */
const cascades: Record<string, string> = {
  'sessions.member_id': 'a login session needs its member',
  'login_methods.member_id': 'so does a password',
  'one_time_secrets.member_id': 'so does a secret that was mailed to them',
  'email_changes.member_id': 'so does a change of their address',
  'two_factor_secrets.member_id': 'so does a second factor',
  'passkeys.member_id': 'so does a passkey',
  'notice_preferences.member_id': 'preferences are personal data',
  'data_exports.member_id': 'an archive is about its member only',
  'mails.member_id': 'an erased member’s mail is neither kept nor sent',
  'taken_tickets.seller_id': 'a ticket is about its seller only',
  'taken_tickets.listing_id': 'and is for one listing',
  'images.owner_id': 'pictures belong to the member who uploaded them',
  'flags.ring_id': 'a flag of a ring names its members through it',
  'member_notes.member_id': 'a note is about its member only',
  'memberships.member_id':
    'a row of a member goes only with a sign-up that was never confirmed and never paid',
  'checkouts.member_id': 'so do all rows about payments',
  'membership_orders.member_id': 'so do all rows about payments',
  'invoices.member_id': 'so do all rows about payments',
  'disputes.member_id': 'so do all rows about payments',
  'payer_cards.member_id': 'so do all rows about payments',
  'membership_changes.member_id': 'so do all rows about payments',
  'marketplace_consents.member_id': 'consent is personal data',
  'reviewer_states.member_id': 'the hot row is derived from the ledger and the requests',
  'identity_hashes.member_id': 'hashes of a sign-up that is deleted owe nothing',
  'carried_debts.member_id':
    'only a confirmed member owes, and a sign-up that is deleted was never confirmed',
  'pair_uses.lo': 'a pair needs two members',
  'pair_uses.hi': 'a pair needs two members',
  'owned_listings.member_id': 'what a member stated leaves with them',
  'conflicts.lo': 'a conflict is between two members',
  'conflicts.hi': 'a conflict is between two members',
  'unusable_formats.member_id': 'what a member stated leaves with them',
  'unwanted_offers.member_id': 'what a member stated leaves with them',
  'listing_reports.member_id': 'what a member stated leaves with them',
  'shops.member_id': 'what a member stated leaves with them',
  'declarations.member_id': 'what a member stated leaves with them',
  'declarations.about_member_id': 'a declaration that names no one binds nothing',
  'asking_hours.member_id': 'hours are about their member only',
  'support_entries.message_id': 'an answer is part of its thread',
  'notices.member_id': 'a notice belongs to its member',
  'activity_items.member_id': 'so does their activity',
  'push_devices.member_id': 'a subscription belongs to its member',
  'push_devices.session_id': 'it ends with the login session in which it was made',
  'push_messages.device_id': 'a message without its browser is not sent',
}

test('every cascading delete is explained', () => {
  const schema = readFileSync('db/schema.sql', 'utf8')
  const found = [...schema.matchAll(/^create table (\w+) \(([\s\S]*?)^\);/gm)].flatMap(
    ([, table, body = '']) =>
      [...body.matchAll(/FOREIGN KEY \((\w+)\) REFERENCES [^\n]*ON DELETE CASCADE/g)].map(
        (match) => `${table}.${match[1]}`,
      ),
  )
  expect(found.toSorted()).toEqual(Object.keys(cascades).toSorted())
})

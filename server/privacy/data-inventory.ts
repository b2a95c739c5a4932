// The data inventory: every column of every table with personal data, with its description for the archive,
// its owner, and what erasing the account does to it. A test compares it with the schema.
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { trendingShownFrom } from '#contract/discover.ts'
import { days } from '#contract/format.ts'
import { askAlertDays, strikes, unwantedLimits } from '#contract/matching-rules.ts'
import { sanctionLadder } from '#contract/moderation.ts'
import { retention, sessionLimits } from '#contract/retention.ts'
import { proofKeptDays } from '#contract/reviews.ts'
import { exportLinkHours } from '#contract/privacy.ts'
import { usernameReservedDays } from '#contract/members.ts'
import { declarationEndDays } from '#contract/organization.ts'

/**
 * What erasing the account does: deletes the row, empties the value, replaces it with a neutral one, or keeps
 * it, and why.
 */
type ErasureRule = 'deleted' | 'emptied' | 'replaced' | { stays: string }

type Column = {
  what: string
  /** Why the archive does not include it. */
  withheld?: string
  /** It holds a member's id. The archive shows `me` or `another member` instead. */
  person?: true
  /** Set if it differs from the table's rule. */
  onErasure?: ErasureRule
}

/** A list of rows of one table in the archive. */
export type Section = {
  name: string
  where: (memberId: string) => RawBuilder<boolean>
  /** Columns that this section leaves out. */
  without?: readonly string[]
  /** What columns show in place of their values, which name what is another member's. */
  shownAs?: Readonly<Record<string, RawBuilder<unknown>>>
  /** Columns that are empty until the review is final, because only its writer may see them before. */
  onceFinal?: readonly string[]
}

export type Table = {
  holds: string
  sections: readonly Section[]
  onErasure: ErasureRule
  /** How long it is kept while the account exists. */
  kept: string
  columns: Readonly<Record<string, string | Column>>
}

const secret = (what: string): Column => ({ what, withheld: 'a secret, or the hash of a secret' })
const internal = (what: string, why = 'an internal value that says nothing about you'): Column => ({
  what,
  withheld: why,
})
const partners = (what: string) =>
  internal(what, 'a name that our payment partner uses among its own records')
const person = (what: string): Column => ({ what, person: true })
/** An ID of ours is a time: of two listings it says whether one member connected both. */
const othersListing = (what = 'Listing ID') => internal(what, 'it may identify another member')
const empties = (what: string): Column => ({ what, onErasure: 'emptied' })
const replaces = (what: string): Column => ({ what, onErasure: 'replaced' })

const of = (column: string) => (memberId: string) => sql<boolean>`${sql.ref(column)} = ${memberId}`
const ofMember = of('member_id')
const ofMyReviews = (memberId: string) =>
  sql<boolean>`review_id in (select id from reviews where reviewer_id = ${memberId})`
/** An open offer shows nothing of its request until its member opens it. */
const ofMyOpenedOffers = (memberId: string) =>
  sql<boolean>`reviewer_id = ${memberId} and (state <> 'open' or seen_at is not null)`

const ofMyOpenedRequests = (memberId: string) =>
  sql<boolean>`(reviewer_id = ${memberId} or offered_to = ${memberId} and exists (select from offers o
    where o.queue_id = review_queue.id and ${ofMyOpenedOffers(memberId)}))`
const stateOfWaiting =
  'attempts nudged_at prio_at asked_at waiting_since held_at waits_until resumes_by'.split(' ')
const onceResumed = (column: string) =>
  sql`case when greatest(resumes_by, waits_until) <= clock_timestamp() then ${sql.ref(column)} end`
const idsOfProduct = ['product_id', 'listing_id']
/** That a listing was reported is not shown to its seller, unless something was decided against them. */
const decidedAgainst = sql`outcome <> 'dismissed'`

/** What an entry of the log says without the ids of another member's review, product or listing. */
const withoutOthersIds = sql`case action when 'proof_refused' then metadata - 'targetId'
  when 'listing_claimed' then metadata - 'productId' - 'listingId' else metadata end`

/** Columns of a flag that are empty where it is about a listing that its member only tried to connect. */
const unlessClaimed = (...columns: string[]) =>
  Object.fromEntries(
    columns.map((column) => [column, sql`case when kind <> 'listing_claim' then ${sql.ref(column)} end`]),
  )

const forOthers = {
  stays: 'the record of the other side; without a name it belongs to an empty account',
} as const
const forChecks = 'evidence for people who check a draw'
const untilErased = 'as long as your account'

/** The tables with personal data, by name. */
export const dataInventory: Readonly<Record<string, Table>> = {
  members: {
    holds: 'Your account',
    sections: [{ name: 'account', where: of('id') }],
    onErasure: { stays: 'the empty account that records of other members refer to' },
    kept: untilErased,
    columns: {
      id: 'Account ID',
      email: replaces('Email address'),
      email_verified: 'Whether you confirmed the address',
      username: empties('Username'),
      display_name: empties('Display name'),
      full_name: empties('Full name'),
      image: empties('Address of a picture from a sign-in provider'),
      avatar_key: {
        ...internal('Storage key of your picture', 'the picture itself is in the folder “files”'),
        onErasure: 'emptied',
      },
      role: replaces('Your role: member or staff'),
      suspended_at: empties('When your account was suspended'),
      suspended_until: empties('Until when your account is suspended'),
      suspension_reason: empties('Why your account was suspended'),
      erased_at: 'When the account was deleted',
      created_at: 'When you signed up',
      updated_at: 'When the account last changed',
      two_factor_enabled: replaces('Whether two-factor authentication is on'),
      locale: replaces('Format of dates and numbers'),
      time_zone: empties('Time zone'),
      username_changed_at: empties('When you last changed your username'),
    },
  },
  sessions: {
    holds: 'Where you are signed in',
    sections: [{ name: 'sessions', where: ofMember }],
    onErasure: 'deleted',
    kept: `at most ${sessionLimits.member.totalDays} days`,
    columns: {
      id: 'Session ID',
      token: secret('Value of the session cookie'),
      member_id: person('Owner'),
      expires_at: 'When it expires',
      last_seen_at: 'When it was last used',
      ip_address: 'Network you came from, never the full IP address',
      user_agent: 'Browser, as it identifies itself',
      created_at: 'When you signed in',
      updated_at: 'When it last changed',
      confirmed_at: 'When you last confirmed your identity',
    },
  },
  login_methods: {
    holds: 'How you sign in',
    sections: [{ name: 'signInMethods', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      id: 'ID of the sign-in method',
      member_id: person('Owner'),
      provider_id: 'Type: a password, or the provider',
      account_id: 'ID of your account at the provider',
      password: secret('Hash of your password'),
      pending_hash: secret('Hash of the key of the browser that signed up'),
      access_token: secret('Always empty'),
      refresh_token: secret('Always empty'),
      id_token: secret('Always empty'),
      access_token_expires_at: internal('Always empty'),
      refresh_token_expires_at: internal('Always empty'),
      scope: 'Data we requested from the provider',
      created_at: 'When you added it',
      updated_at: 'When it last changed',
    },
  },
  passkeys: {
    holds: 'Your passkeys',
    sections: [{ name: 'passkeys', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      id: 'Passkey ID',
      member_id: person('Owner'),
      name: 'Name you gave it',
      public_key: secret('Public key of the passkey'),
      credential_id: secret('Credential ID of the passkey'),
      counter: internal('How often it was used'),
      device_type: 'Whether it stays on one device',
      backed_up: 'Whether it is backed up',
      transports: 'How your browser connects to the device',
      aaguid: 'Kind of device',
      created_at: 'When you added it',
      last_used_at: 'When you last used it',
    },
  },
  two_factor_secrets: {
    holds: 'Your two-factor authentication',
    sections: [{ name: 'secondFactor', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      id: 'Entry ID',
      member_id: person('Owner'),
      secret: secret('Key shared with your authenticator app'),
      backup_codes: secret('Your recovery codes'),
      pending_secret: secret('Key for a new authenticator app'),
      verified: 'Whether a first code was entered',
      failed_verification_count: 'Wrong codes since the last correct one',
      locked_until: 'Until when no code is accepted',
      created_at: 'When you set it up',
    },
  },
  one_time_secrets: {
    holds: 'Unused links from our emails',
    sections: [{ name: 'mailedLinks', where: ofMember }],
    onErasure: 'deleted',
    kept: `at most ${retention.signUpDays} days`,
    columns: {
      hash: secret('Hash of the link'),
      member_id: person('Owner'),
      purpose: 'Purpose of the link',
      data: secret('Data that belongs to the link'),
      created_at: 'When it was sent',
      expires_at: 'When it expires',
    },
  },
  email_changes: {
    holds: 'A change of your email address in progress',
    sections: [{ name: 'emailChange', where: ofMember }],
    onErasure: 'deleted',
    kept: 'until it is confirmed or expires',
    columns: {
      member_id: person('Owner'),
      new_email: 'New address',
      old_hash: secret('Hash of the link sent to the old address'),
      new_hash: secret('Hash of the link sent to the new address'),
      old_confirmed_at: 'When it was confirmed at the old address',
      new_confirmed_at: 'When it was confirmed at the new address',
      created_at: 'When you requested it',
      expires_at: 'When the request expires',
      session_id: 'ID of the session that requested it',
    },
  },
  sign_in_states: {
    holds: 'A sign-in with a provider in progress',
    sections: [],
    onErasure: 'deleted',
    kept: 'at most three hours',
    columns: {
      id: internal('Entry ID'),
      identifier: secret('Identifier of the attempt'),
      value: secret('Data to check the provider’s answer'),
      expires_at: internal('When it expires'),
      created_at: internal('When it started'),
      updated_at: internal('When it last changed'),
    },
  },
  reserved_usernames: {
    holds: 'Usernames you gave up',
    sections: [{ name: 'reservedUsernames', where: ofMember }],
    onErasure: {
      stays: `only the name, for ${usernameReservedDays} days, so that no one can impersonate you`,
    },
    kept: `for ${usernameReservedDays} days`,
    columns: {
      username: 'Username',
      member_id: { what: 'Former owner', person: true, onErasure: 'emptied' },
      reserved_until: 'Until when it is reserved for you',
    },
  },
  notice_preferences: {
    holds: 'Your notification settings',
    sections: [{ name: 'noticePreferences', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      member_id: person('Owner'),
      kind: 'Topic',
      in_app: 'Whether you get notifications in the app',
      by_email: 'Whether you get emails',
      by_push: 'Whether you get push messages',
      updated_at: 'When you last changed it',
    },
  },
  push_devices: {
    holds: 'Browsers that get push messages',
    sections: [{ name: 'pushDevices', where: ofMember }],
    onErasure: 'deleted',
    kept: 'until you are signed out there, or end it',
    columns: {
      id: 'Subscription ID',
      member_id: person('Owner'),
      session_id: 'Session ID',
      endpoint: secret('Address at the push service of the browser'),
      p256dh: secret('Key that messages are encrypted with'),
      auth: secret('Secret that messages are encrypted with'),
      created_at: 'When you switched it on',
      delivered_at: 'When a message was last delivered',
    },
  },
  push_messages: {
    holds: 'Push messages that are not yet sent',
    sections: [
      {
        name: 'pushMessages',
        where: (memberId) =>
          sql<boolean>`device_id in (select id from push_devices where member_id = ${memberId})`,
      },
    ],
    onErasure: 'deleted',
    kept: 'at most 24 hours',
    columns: {
      id: 'Message ID',
      device_id: 'Subscription ID',
      dedupe_key: internal('Key that prevents duplicates'),
      title: 'Title',
      body: 'Text',
      href: 'Link',
      urgent: 'Whether it is urgent',
      expires_at: 'When it is too old to send',
      attempts: 'Number of tries',
      next_try_at: 'When it is tried next',
      created_at: 'When it was created',
    },
  },
  data_exports: {
    holds: 'Archives of your data that you requested',
    sections: [{ name: 'archives', where: ofMember }],
    onErasure: 'deleted',
    kept: `the archive for ${exportLinkHours} hours, this entry for ${retention.exportDays} days`,
    columns: {
      id: 'Archive ID',
      member_id: person('Owner'),
      state: 'Status',
      hash: secret('Hash of the link'),
      file_key: internal('Storage key of the archive'),
      bytes: 'Size in bytes',
      requested_at: 'When you requested it',
      expires_at: 'When the link expires',
    },
  },
  erasures: {
    holds: 'Deleted accounts, to delete them again after a restore',
    sections: [],
    onErasure: { stays: 'only the ID of an empty account' },
    kept: `for ${retention.erasureDays} days`,
    columns: {
      member_id: internal('ID of the deleted account'),
      erased_at: internal('When it was deleted'),
    },
  },
  activity_logs: {
    holds: 'Security-relevant actions in your account',
    sections: [{ name: 'activityLog', where: ofMember, shownAs: { metadata: withoutOthersIds } }],
    onErasure: { stays: 'that an action happened and when, without person, network or details' },
    kept: `for ${retention.activityLogDays} days`,
    columns: {
      id: 'Entry ID',
      member_id: { what: 'Owner', person: true, onErasure: 'emptied' },
      action: 'Action',
      metadata: empties('Details'),
      ip_address: empties(`Network it came from, deleted after ${retention.addressDays} days`),
      user_agent: empties(`Browser, as it identifies itself, deleted after ${retention.addressDays} days`),
      created_at: 'Time',
    },
  },
  security_events: {
    holds: 'Requests of yours that we refused, because you may not see or do what they asked for',
    sections: [{ name: 'refusedRequests', where: of('actor_id') }],
    onErasure: 'deleted',
    kept: `for ${retention.activityLogDays} days`,
    columns: {
      id: 'Entry ID',
      kind: 'Why it was refused',
      actor_id: person('Sender'),
      network: `Network it came from, only without an account, deleted after ${retention.addressDays} days`,
      object: internal('What it asked for', 'it may belong to another member'),
      request_id: 'ID of the first such request in that minute',
      minute: 'Minute',
      count: 'How many there were in that minute',
    },
  },
  rate_counters: {
    holds: 'Counters for actions that have a limit',
    sections: [{ name: 'limits', where: (memberId) => sql<boolean>`position(${memberId}::text in key) > 0` }],
    onErasure: 'deleted',
    kept: 'at most a day; those of order numbers, as long as a review may take',
    columns: { key: 'Counted action', hits: 'Count', ends_at: 'When it resets' },
  },
  idempotency_keys: {
    holds: 'Recent requests, so that repeating one has no second effect',
    sections: [{ name: 'recentRequests', where: of('scope') }],
    onErasure: 'deleted',
    kept: 'for a day',
    columns: {
      scope: person('Sender'),
      route: 'Type of request',
      key: 'ID that your browser gave it',
      request_hash: secret('Hash of the request'),
      answer: internal('Our answer', 'a copy of data elsewhere in the archive, sometimes with a secret'),
      created_at: 'Time',
    },
  },
  events: {
    holds: 'Changes, so that open pages refresh',
    sections: [
      {
        name: 'events',
        where: (memberId) => sql<boolean>`(actor_id = ${memberId} or ${memberId}::uuid = any(recipients))`,
      },
    ],
    onErasure: { stays: `only IDs, deleted within ${retention.eventDays} days` },
    kept: `for ${retention.eventDays} days`,
    columns: {
      id: 'Event ID',
      name: 'Type of event',
      ids: internal('IDs of what changed'),
      actor_id: person('Who caused it'),
      recipients: internal('Members whose pages refresh', 'it identifies other members'),
      at: 'Time',
      published_at: 'When it was sent to open pages',
    },
  },
  mails: {
    holds: 'Emails to you',
    sections: [{ name: 'mails', where: ofMember }],
    onErasure: 'deleted',
    kept: `for ${retention.mailDays} days`,
    columns: {
      id: 'Email ID',
      dedupe_key: internal('Key that prevents sending it twice'),
      member_id: person('Owner'),
      to_address: 'Address',
      template: 'Type of email',
      props: internal('Content, until it is sent', 'it may contain a link that works once'),
      attempts: 'Attempts to send it',
      error: 'Why it failed',
      created_at: 'When it was queued',
      next_try_at: 'When we try again',
      sent_at: 'When it was sent',
      failed_at: 'When we gave up sending it',
    },
  },
  bounced_addresses: {
    holds: 'That mail to your address bounced',
    sections: [
      {
        name: 'bouncedAddress',
        where: (memberId) => sql<boolean>`address = (select email from members where id = ${memberId})`,
      },
    ],
    onErasure: 'deleted',
    kept: 'until you confirm the address again',
    columns: { address: 'Address', bounced_at: 'When it bounced' },
  },
  demo_mails: {
    holds: 'Content of your emails, only in the demo',
    sections: [
      {
        name: 'demoMails',
        where: (memberId) => sql<boolean>`to_address = (select email from members where id = ${memberId})`,
      },
    ],
    onErasure: 'deleted',
    kept: 'for 7 days',
    columns: {
      id: 'Email ID',
      message_id: internal('Message ID'),
      to_address: 'Address',
      subject: 'Subject',
      html: internal('Content as HTML', 'it may contain a link that works once'),
      text: internal('Content as text', 'it may contain a link that works once'),
      sent_at: 'When it was sent',
    },
  },
  memberships: {
    holds: 'Your membership',
    sections: [{ name: 'membership', where: ofMember }],
    onErasure: { stays: 'that a membership ended, for our accounting; our payment partner keeps invoices' },
    kept: untilErased,
    columns: {
      member_id: person('Owner'),
      status: replaces('Status'),
      source: 'Source',
      current_period_end: 'End of the paid period',
      paused_from: empties('Start of the pause'),
      paused_until: empties('End of the pause'),
      stripe_customer_id: partners('Your customer ID at our payment partner'),
      stripe_subscription_id: partners('Your subscription ID at our payment partner'),
      started_at: 'Start of your membership',
      updated_at: 'When it last changed',
      ends_at: empties('When your canceled membership ends'),
      grace_until: empties('Until when you take part while a payment is missing'),
      first_paid_at: 'When you first paid',
      renewal_cents: 'Price of the next period in cents',
      card_brand: empties('Brand of your card'),
      card_last4: empties('Last four digits of your card'),
      look: internal('Number of the latest comparison with our payment partner'),
    },
  },
  checkouts: {
    holds: 'Payment pages you opened, and the terms you agreed to there',
    sections: [{ name: 'checkouts', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      id: 'Payment page ID',
      member_id: person('Owner'),
      state: 'Whether it is open, was paid, or expired',
      session_id: partners('Its ID at our payment partner'),
      url: secret('Its address while it is open'),
      terms_version: 'Version of the terms',
      agreed_at: 'When you agreed to the terms',
      ended_at: 'When it was paid or expired',
    },
  },
  membership_orders: {
    holds: 'What you asked of our payment partner through us',
    sections: [{ name: 'membershipOrders', where: ofMember }],
    onErasure: {
      stays: 'until our payment partner has ended the subscription; it says nothing about a person',
    },
    kept: `${retention.orderDays} days after it was done`,
    columns: {
      id: 'Order ID',
      member_id: person('Owner'),
      kind: 'What was asked',
      subscription_id: partners('Your subscription ID at our payment partner'),
      payment_id: partners('ID of the payment at our payment partner'),
      until: 'Until when a pause was asked for',
      created_at: 'When it was asked',
      done_at: 'When it was done',
      failed_at: 'When it was given up',
      attempts: internal('How often it was tried'),
      try_at: internal('When it is tried next'),
      error: internal('Why it failed'),
    },
  },
  invoices: {
    holds: 'Your invoices',
    sections: [{ name: 'invoices', where: ofMember }],
    onErasure: {
      stays: 'the law asks us to keep invoices; ours name an empty account, those of our partner you',
    },
    kept: 'as long as the law asks for it',
    columns: {
      id: 'Invoice ID',
      member_id: person('Owner'),
      stripe_invoice_id: partners('Its ID at our payment partner'),
      payment_id: partners('ID of its payment at our payment partner'),
      number: 'Number on the invoice',
      status: 'Whether it is open or paid',
      total_cents: 'Amount in cents',
      tax_cents: 'Tax in cents, which is part of the amount',
      refunded_cents: 'Amount in cents that was given back',
      refunded_at: 'When it was given back',
      made_at: 'Date of the invoice',
      paid_at: 'When it was paid',
      period_start: 'Start of the period it is for',
      period_end: 'End of the period it is for',
      has_pdf: 'Whether there is a PDF of it',
    },
  },
  disputes: {
    holds: 'Payments that your bank disputed',
    sections: [{ name: 'disputes', where: ofMember }],
    onErasure: { stays: 'part of our accounting, like the invoice' },
    kept: 'as long as the law asks for it',
    columns: {
      id: 'Dispute ID',
      member_id: person('Owner'),
      stripe_dispute_id: partners('Its ID at our payment partner'),
      payment_id: partners('ID of the payment at our payment partner'),
      cents: 'Amount in cents',
      reason: 'Reason that the bank gave',
      status: 'State of the dispute',
      opened_at: 'When it was opened',
      closed_at: 'When the bank decided it',
      settled_at: 'When our staff let you go on after it',
    },
  },
  payer_cards: {
    holds: 'Cards you paid with, as keyed hashes, so that one person with two accounts is noticed',
    sections: [{ name: 'payerCards', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      member_id: person('Owner'),
      card_hash: secret('Keyed hash of our payment partner’s mark of the card'),
      seen_at: 'When you first paid with it',
    },
  },
  membership_changes: {
    holds: 'What happened to your membership',
    sections: [{ name: 'membershipChanges', where: ofMember }],
    onErasure: {
      stays: 'how many memberships began and ended, for our accounting; it names an empty account',
    },
    kept: untilErased,
    columns: {
      id: 'Entry ID',
      member_id: person('Owner'),
      kind: 'What happened',
      key: internal('What it is about, so that it is written once'),
      at: 'When it happened',
      until: 'Until when it applies',
    },
  },
  stripe_events: {
    holds: 'Events that our payment partner sent, without what they said',
    sections: [],
    onErasure: { stays: 'the names that our payment partner uses among its own records' },
    kept: `${retention.paymentEventDays} days`,
    columns: {
      id: partners('Its ID at our payment partner'),
      type: internal('Its type'),
      customer_id: partners('Your customer ID at our payment partner'),
      payment_id: partners('ID of a disputed payment at our payment partner'),
      created_at: internal('When it happened'),
      received_at: internal('When it arrived'),
      processed_at: internal('When we compared your membership because of it'),
    },
  },
  refunded_cards: {
    holds: 'Cards whose owner got a first payment back, as keyed hashes without an owner',
    sections: [],
    onErasure: { stays: `for ${retention.refundMonths} months, so that it happens once per person` },
    kept: `${retention.refundMonths} months`,
    columns: {
      card_hash: secret('Keyed hash of our payment partner’s mark of the card'),
      refunded_at: internal('When it was'),
    },
  },
  refunded_identities: {
    holds: 'Who got a first payment back and deleted the account, as keyed hashes without an owner',
    sections: [],
    onErasure: { stays: `for ${retention.refundMonths} months, so that it happens once per person` },
    kept: `${retention.refundMonths} months`,
    columns: {
      hash: secret('Keyed hash of an email address or a sign-in account'),
      refunded_on: internal('The day of the refund'),
    },
  },
  reconciliations: {
    holds: 'The nightly comparisons of memberships with our payment partner',
    sections: [],
    onErasure: { stays: 'which states differed; it names an empty account' },
    kept: `${retention.reconciliationDays} days`,
    columns: {
      id: internal('Entry ID'),
      started_at: internal('When it began'),
      finished_at: internal('When it ended'),
      compared: internal('How many memberships were compared'),
      differences: internal('What differed, and was mended'),
    },
  },
  marketplace_consents: {
    holds: 'Marketplaces whose rules you agreed to follow',
    sections: [{ name: 'marketplaceConsents', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      member_id: person('Owner'),
      marketplace_id: 'Marketplace ID',
      policy_version: 'Version of the rules',
      consented_at: 'When you agreed',
    },
  },
  products: {
    holds: 'Your products',
    sections: [{ name: 'products', where: of('seller_id') }],
    onErasure: forOthers,
    kept: untilErased,
    columns: {
      id: 'Product ID',
      seller_id: person('Seller'),
      marketplace_id: 'Marketplace ID',
      title: replaces('Name'),
      category: 'Category',
      format: empties('File format'),
      coupon_link: replaces('Coupon link'),
      listing_id: 'Listing ID',
      price_cents: empties('Price in cents'),
      coupon_cents: empties('Price with the coupon in cents'),
      description: empties('Description'),
      summary: empties('Beginning of the description'),
      tags: empties('Tags'),
      image_id: empties('Picture ID'),
      place: 'Place in your own order',
      public_id: 'ID that other members see',
      exchanges_in_week: `Completed exchanges in the last seven days; fewer than ${trendingShownFrom} as one`,
      archived_at: 'When you archived it',
      live_since: 'Since when it is back, if you archived it in an earlier month',
      deleted_at: 'When you deleted it',
      created_at: 'When you added it',
      updated_at: 'When it last changed',
    },
  },
  listing_claims: {
    holds: 'Listings you tried to connect while another member had connected them',
    sections: [{ name: 'listingClaims', where: ofMember }],
    onErasure: { stays: 'that someone tried to connect the listing, without who' },
    kept: untilErased,
    columns: {
      listing_id: othersListing(),
      member_id: person('Who tried'),
      attempts: 'How often',
      first_at: 'First time',
      last_at: 'Last time',
    },
  },
  barred_sellers: {
    holds: 'Listings that our staff found are not yours to sell',
    sections: [{ name: 'barredListings', where: ofMember }],
    onErasure: { stays: 'that someone may not connect the listing, without who' },
    kept: untilErased,
    columns: {
      listing_id: 'Listing ID',
      member_id: person('Who may not connect it'),
      product_id: 'Product that was deleted',
      created_at: 'When it was decided',
    },
  },
  images: {
    holds: 'Pictures you uploaded',
    sections: [{ name: 'pictures', where: of('owner_id') }],
    onErasure: 'deleted',
    kept: 'as long as a product uses it',
    columns: {
      id: 'Picture ID',
      owner_id: person('Owner'),
      file_key: internal('Storage key of the picture', 'the picture itself is in the folder “files”'),
      widths: 'Available widths in pixels',
      width: 'Width in pixels',
      height: 'Height in pixels',
      focus_x: 'Point that stays visible when it is cropped, in percent from the left',
      focus_y: 'The same point, in percent from the top',
      bytes: 'Size in bytes',
      created_at: 'When you uploaded it',
    },
  },
  reviewer_states: {
    holds: 'Your place in the rotation',
    sections: [{ name: 'rotation', where: ofMember }],
    onErasure: { stays: 'an even balance, because the ledger of all members adds up to zero' },
    kept: untilErased,
    columns: {
      member_id: person('Owner'),
      standing: 'Whether you take part',
      balance: 'Reviews you gave minus reviews you received, with what another account of yours owed',
      pending_give: 'Reviews you are writing',
      pending_take: 'Reviews being written for you',
      open_requests: 'Your requests in the queue',
      give_first: 'Whether you give a review before you receive one',
      here_until: empties('Until when you count as present'),
      last_seen_at: empties('When you were last here'),
      standby: 'Whether you get offers only when no one else is available',
      cooldown_until: empties('When your cooldown ends'),
      last_decline_reset: empties('When your last cooldown began'),
      refusals: replaces('How many offers in a row you did not accept'),
      rest_until: empties('When your rest ends'),
      nudged_at: empties('When we last let you know, while you were away, that a request waits'),
      available_at: replaces('When you can get offers; -infinity means at any time'),
      quiet_from: empties('When your quiet hours begin, or began'),
      quiet_until: empties('When they end'),
      open_offer_id: 'ID of the offer that waits for your answer',
      turn_at: replaces('Since when you have waited for your turn'),
      audit_key: { ...secret('Key of your number in each draw'), onErasure: 'replaced' },
      tier: 'Whether you are present, away, in quiet hours, or get no offers',
      band: 'Your priority: members who owe reviews come first',
    },
  },
  review_queue: {
    holds: 'Requests for reviews',
    sections: [
      {
        name: 'requests',
        where: of('seller_id'),
        // Both show when it is drawn again.
        shownAs: {
          nudged_at: onceResumed('nudged_at'),
          waiting_since: onceResumed('waiting_since'),
        },
      },
      {
        name: 'requestsOfferedToMe',
        where: ofMyOpenedRequests,
        without: [...idsOfProduct, ...stateOfWaiting],
      },
    ],
    onErasure: forOthers,
    kept: untilErased,
    columns: {
      id: 'Request ID',
      product_id: 'Product ID',
      listing_id: 'Listing ID',
      seller_id: person('Seller'),
      status: 'Status',
      created_at: 'When it was made',
      asked_at: 'When you first asked, if an earlier review of it was missed',
      waiting_since:
        'Since when its wait counts, without days of writing and times on hold or until a moment',
      held_at: 'Since when it is on hold',
      waits_until: internal('When it is drawn again', 'who knew the moment could choose who is here then'),
      resumes_by:
        'By when it is drawn again: after a pause, at your limit of reviews, or after you ended an offer',
      prio_at: 'Place in the queue',
      offered_to: person('Who got the offer'),
      offered_at: 'When it was offered',
      offer_expires_at: 'When the offer expired',
      reviewer_id: person('Who accepted'),
      accepted_at: 'When it was accepted',
      completed_at: 'When the review was verified',
      closed_at: 'When it ended without a review',
      attempts: 'How often it was offered',
      nudged_at: 'When a member who was away was last let know that a request waits',
      lottery_day: 'Day of the draw',
      lottery_ticket: 'Ticket in the draw',
      lottery_nonce: internal('Evidence of the draw', forChecks),
      lottery_commit: internal('Evidence of the draw', forChecks),
      lottery_key: internal('Evidence of the draw', forChecks),
      beacon_chain: internal('Evidence of the draw', forChecks),
      beacon_from: 'From when the round of the public beacon was counted',
      beacon_round: 'Round of the public beacon in the draw',
      beacon_signature: internal('Evidence of the draw', forChecks),
    },
  },
  offers: {
    holds: 'Offers',
    sections: [
      { name: 'offersToMe', where: ofMyOpenedOffers, without: ['snapshot'] },
      {
        name: 'offersOfMyRequests',
        where: of('seller_id'),
        // The links of mails and notices hold the id of an offer.
        without: ['id', 'reason', 'seen_at', 'set_aside_at'],
      },
    ],
    onErasure: forOthers,
    kept: untilErased,
    columns: {
      id: 'Offer ID',
      queue_id: 'Request ID',
      reviewer_id: person('Who got it'),
      seller_id: person('Seller'),
      state: 'Status',
      live: 'Whether the member was present',
      offered_at: 'When it was made',
      expires_at: 'When it expired',
      seen_at: 'When it was seen',
      set_aside_at: 'When it was closed without an answer',
      responded_at: 'When it ended',
      reason: empties('Why you declined'),
      pass_id: 'Draw ID',
      slot: 'Place in the draw',
      skipped: internal('Places that were skipped, and why', 'it is about other members'),
      snapshot: replaces('The product as it was offered'),
      by_declaration: internal('Why it was withdrawn', 'it may identify another member'),
    },
  },
  pair_uses: {
    holds: 'Members you exchanged reviews with, so that no two members trade reviews',
    sections: [{ name: 'pairs', where: (memberId) => sql<boolean>`(lo = ${memberId} or hi = ${memberId})` }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      // Ids are in the order of joining, so even the place of `me` would show who joined first.
      lo: internal('One of the two members', 'it may identify another member'),
      hi: internal('The other member', 'it may identify another member'),
      held: 'Whether an exchange is in progress',
      last_at: 'Time of the last exchange',
      last_reviewer_id: person('Reviewer in the last exchange'),
    },
  },
  decline_history: {
    holds: 'Offers you declined',
    sections: [{ name: 'declines', where: of('reviewer_id') }],
    onErasure: { stays: 'that an offer was declined, without the reason' },
    kept: untilErased,
    columns: {
      id: 'Entry ID',
      reviewer_id: person('Who declined'),
      offer_id: 'Offer ID',
      reason: empties('Reason you gave'),
      counted: 'Whether it counted toward the limit',
      cooldown_applied_minutes: 'Cooldown that followed, in minutes',
      created_at: 'Time',
    },
  },
  taken_tickets: {
    holds: 'Tickets for the draw that you took and have not used',
    sections: [{ name: 'takenTickets', where: of('seller_id') }],
    onErasure: 'deleted',
    kept: 'until the end of their day',
    columns: {
      listing_id: 'Listing ID',
      seller_id: person('Seller'),
      day: 'Day of the draw',
      ticket: 'Ticket in the draw',
    },
  },
  owned_listings: {
    holds: 'Listings that you declined because you own the product, or for one conflict too many',
    sections: [{ name: 'ownedListings', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: { member_id: person('Owner'), listing_id: othersListing(), created_at: 'When you declined it' },
  },
  conflicts: {
    holds: 'Conflicts of interest that you declared with another member, so that you never review each other',
    // One that the other side declared as they declined an offer would show that they know me.
    sections: [{ name: 'conflicts', where: (memberId) => sql<boolean>`declared_by = ${memberId}` }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      lo: internal('One of the two members', 'it may identify another member'),
      hi: internal('The other member', 'it may identify another member'),
      declared_by: person('Who declared it'),
      created_at: internal('When it was declared', 'it may identify another member'),
    },
  },
  shops: {
    holds: 'Your shops on the marketplaces',
    sections: [{ name: 'shops', where: ofMember }],
    onErasure: 'deleted',
    kept:
      'until you remove it on your Organization page; ' +
      `its address binds for ${declarationEndDays} more days`,
    columns: {
      id: 'Shop ID',
      member_id: person('Owner'),
      marketplace_id: 'Marketplace ID',
      name: 'Name',
      address: 'Address',
      created_at: 'When you added it',
    },
  },
  declarations: {
    holds: 'Members, shops and listings that you must never be matched with, as you declared them',
    sections: [
      { name: 'declarations', where: ofMember },
      {
        // Who declared a conflict or a competitor stays hidden from the other side.
        name: 'householdsThatNameMe',
        where: (memberId) => sql<boolean>`(about_member_id = ${memberId} and kind = 'household')`,
      },
    ],
    onErasure: 'deleted',
    kept: `until ${declarationEndDays} days after you remove it, or until the member it names leaves`,
    columns: {
      id: 'Entry ID',
      member_id: person('Who declared it'),
      kind: 'Household or team, conflict, competitor, or a former address of your shop',
      about_member_id: person('Whom it names'),
      address: 'Address of the shop',
      marketplace_id: 'Marketplace of the listing',
      listing: 'Listing on the marketplace',
      named_as: 'Username or address as it was entered',
      created_at: 'When it was declared',
      ends_at: 'Until when it binds after it was removed',
      answer: 'What the named member answered',
      answered_at: 'When the named member answered',
    },
  },
  asking_hours: {
    holds: 'When you want to be asked',
    sections: [{ name: 'askingHours', where: ofMember }],
    onErasure: 'deleted',
    kept: 'until you change it, in Settings',
    columns: {
      member_id: person('Owner'),
      days: 'Days of the week',
      from_minute: 'From, in minutes after midnight',
      until_minute: 'Until, in minutes after midnight',
      time_zone: 'Time zone of the device on which you set it',
      updated_at: 'When you last changed it',
    },
  },
  ask_alerts: {
    holds: 'Products for which you are notified when you can ask for a review',
    sections: [{ name: 'askAlerts', where: ofMember }],
    onErasure: 'deleted',
    kept: `until you are notified, ${days(askAlertDays)} at most`,
    columns: {
      product_id: 'Product ID',
      member_id: person('Owner'),
      created_at: 'When you asked for it',
    },
  },
  unusable_formats: {
    holds: 'Formats that you said you cannot use',
    sections: [{ name: 'unusableFormats', where: ofMember }],
    onErasure: 'deleted',
    kept: 'until you say that you can use it, in Settings',
    columns: {
      id: 'Entry ID',
      member_id: person('Owner'),
      category: 'Category',
      format: 'Format; empty for products that state none',
      created_at: 'When you declined for it',
    },
  },
  unwanted_offers: {
    holds: 'Products and categories that you never want to be offered',
    sections: [{ name: 'notForMe', where: ofMember }],
    onErasure: 'deleted',
    kept: `until ${days(unwantedLimits.waitDays)} after you take it back, in Settings`,
    columns: {
      id: 'Entry ID',
      member_id: person('Owner'),
      listing_id: othersListing('Listing ID; empty for a category'),
      category: 'Category; empty for a product',
      created_at: 'When you marked it',
      ends_at: 'When it ends, once you took it back',
    },
  },
  listing_reports: {
    holds: 'Listings that you reported as broken',
    sections: [{ name: 'brokenListings', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      listing_id: othersListing(),
      member_id: person('Owner'),
      created_at: 'When you reported it',
      closed_at: 'When it left the rotation',
    },
  },
  reviews: {
    holds: 'Reviews',
    sections: [
      { name: 'reviewsWritten', where: of('reviewer_id'), without: idsOfProduct },
      {
        name: 'reviewsReceived',
        where: of('seller_id'),
        without: ['draft', 'draft_saved_at', 'coupon_opened_at', 'coupon_opens'],
        onceFinal: ['rating', 'body', 'used_for', 'not_for', 'ai_assisted', 'posted_link'],
      },
    ],
    onErasure: { stays: 'the club’s record of given and received reviews; its writer is a former member' },
    kept: untilErased,
    columns: {
      id: 'Review ID',
      queue_id: 'Request ID',
      product_id: 'Product ID',
      listing_id: 'Listing ID',
      reviewer_id: person('Reviewer'),
      seller_id: person('Seller'),
      marketplace_id: 'Marketplace ID',
      status: 'Status',
      accepted_at: 'When the offer was accepted',
      purchase_due_at: 'Deadline for the purchase',
      due_at: 'Deadline for the review',
      coupon_opened_at: 'When the coupon link was first opened',
      coupon_opens: 'How often the coupon link was opened',
      coupon_price_cents: 'Price paid with the coupon, in cents',
      purchased_at: 'When the proof of purchase was added',
      usable_from: 'When it could be submitted at the earliest',
      submitted_at: 'When it was submitted',
      confirm_due_at: 'Deadline for the seller’s answer',
      held_at: 'Since when our staff looks at a report about it',
      removed_at: 'When our staff removed it',
      returned_at: 'When it was returned',
      return_reason: 'Why it was returned',
      return_due_at: 'Deadline for the fix',
      returns: 'How often it was returned',
      verified_at: 'When it became final',
      verified_by: 'How it became final',
      lapsed_at: 'When it ended without becoming final',
      closure_id: 'The closing of a marketplace that ended it',
      ended_by_staff: 'Whether our staff ended it',
      rating: 'Stars',
      body: 'Text',
      used_for: 'What the product was used for',
      not_for: 'Who the product is not for',
      ai_assisted: 'Whether AI helped with the writing',
      disclosure: 'Disclosure at the start',
      posted_link: empties('Link to the posted review'),
      draft: empties('Draft'),
      draft_saved_at: empties('When the draft was saved'),
      receipt_key: 'Address of its public receipt, which names no one',
    },
  },
  review_cards: {
    holds: 'The products whose review cards you show',
    sections: [
      {
        name: 'reviewCards',
        where: (memberId) =>
          sql<boolean>`product_id in (select id from products where seller_id = ${memberId})`,
      },
    ],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      product_id: 'Product ID',
      key: 'Public address of the cards',
      shown: 'Whether they are shown',
      changed_at: 'When you last changed that',
    },
  },
  review_versions: {
    holds: 'All versions of the reviews you submitted',
    sections: [{ name: 'reviewVersions', where: ofMyReviews }],
    onErasure: { stays: 'only for final reviews, which stay; others are deleted' },
    kept: untilErased,
    columns: {
      review_id: 'Review ID',
      version: 'Version',
      rating: 'Stars',
      body: 'Text',
      used_for: 'What the product was used for',
      not_for: 'Who the product is not for',
      ai_assisted: 'Whether AI helped with the writing',
      lane: 'Where reviews of its marketplace went then',
      created_at: 'When it was submitted',
    },
  },
  member_notes: {
    holds: 'What our staff noted about you',
    sections: [{ name: 'notes', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      id: 'Note ID',
      member_id: person('Member it is about'),
      author_id: person('Member of staff'),
      text: 'Note',
      created_at: 'Time',
    },
  },
  staff_actions: {
    holds: 'What our staff did with your account, and what you did as staff',
    sections: [
      {
        name: 'staffActionsAboutMe',
        // Cases have sections of their own, without what is about who reported.
        where: (memberId) => sql<boolean>`member_id = ${memberId} and subject is distinct from 'case'`,
      },
      { name: 'staffActionsByMe', where: of('actor_id') },
    ],
    onErasure: { stays: 'who did what and why; without a name it belongs to an empty account' },
    kept: untilErased,
    columns: {
      id: 'Entry ID',
      actor_id: person('Member of staff'),
      action: 'What was done',
      member_id: person('Member it was about'),
      subject: 'Kind of thing it was about',
      subject_id: internal('ID of that thing'),
      reason: 'Reason given',
      before: 'Values before',
      after: 'Values after',
      at: 'Time',
    },
  },
  role_changes: {
    holds: 'When you joined or left our staff, and whose role you changed as an admin',
    sections: [
      { name: 'roleChanges', where: ofMember },
      { name: 'roleChangesByMe', where: of('actor_id') },
    ],
    onErasure: { stays: 'who could see what, and when; without a name it belongs to an empty account' },
    kept: untilErased,
    columns: {
      id: 'Entry ID',
      member_id: person('Owner'),
      old_role: 'Role before',
      new_role: 'Role after',
      actor_id: person('Admin who changed it'),
      login: internal('Login to the database that changed it', 'it names a part of our server'),
      changed_at: 'Time',
    },
  },
  proofs: {
    holds: 'Your proofs of purchase',
    sections: [{ name: 'proofs', where: of('uploader_id') }],
    onErasure: {
      stays: 'that there was a proof, and the fingerprints of its picture, so that it can’t be used again',
    },
    kept: `files until ${proofKeptDays} days after the review is final`,
    columns: {
      id: 'Proof ID',
      review_id: 'Review ID',
      uploader_id: person('Owner'),
      kind: 'Type: an order number, or a file',
      order_id: empties('Order number'),
      file_key: {
        ...internal('Storage key of the file', 'the file itself is in the folder “files”'),
        onErasure: 'emptied',
      },
      mime: 'Type of file',
      bytes: 'Size in bytes',
      sha256: internal('Fingerprint of the file', 'it can be calculated from the file'),
      picture_tones: internal(
        'Brightness of 64 × 64 fields of the picture',
        'too coarse to read anything in it',
      ),
      picture_bits: internal('Fingerprint of the picture', 'it can be calculated from the picture'),
      picture_ones: internal('Number of ones in that fingerprint'),
      original_name: empties('Original file name'),
      state: replaces('Whether we still keep the file, or our staff refused the proof'),
      checked_at: 'When our staff accepted it',
      created_at: 'When you added it',
    },
  },
  used_order_numbers: {
    holds: 'That order numbers of yours were used as proof',
    sections: [{ name: 'usedOrderNumbers', where: ofMyReviews }],
    onErasure: { stays: 'a keyed hash without the number, so that no order proves a second purchase' },
    kept: 'for as long as the club exists',
    columns: {
      marketplace_id: 'Marketplace ID',
      hash: secret('Keyed hash of the order number'),
      review_id: 'Review ID',
      used_at: 'When you entered it',
    },
  },
  review_passages: {
    holds: 'Hashes of passages of submitted reviews, by which texts that are alike are found',
    sections: [],
    onErasure: { stays: 'with the texts of final reviews, which stay without a name' },
    kept: 'as long as the text',
    columns: {
      review_id: internal('Review ID', 'it says nothing but the text, which is among your reviews'),
      hash: internal('Hash of a passage', 'it says nothing but the text, which is among your reviews'),
    },
  },
  similar_texts: {
    holds: 'Reviews of yours whose text is close to another one',
    sections: [
      {
        name: 'similarTexts',
        where: (memberId) =>
          sql<boolean>`review_id in (select id from reviews where reviewer_id = ${memberId})`,
      },
    ],
    onErasure: { stays: 'that two texts were alike; without a name they belong to an empty account' },
    kept: untilErased,
    columns: {
      id: 'ID',
      review_id: 'Review ID',
      version: 'Version of the text',
      similar_to: internal('Review that it is close to', 'it belongs to another member'),
      share: 'Share that both texts have in common',
      found_at: 'When it was noticed',
    },
  },
  flags: {
    holds: 'What automatic checks noticed for our staff about a review or listing of yours',
    sections: [
      {
        name: 'flags',
        where: (memberId) =>
          sql<boolean>`(member_id = ${memberId}
            or review_id in (select id from reviews where reviewer_id = ${memberId}))`,
        shownAs: unlessClaimed('listing_id', 'case_id', 'reason'),
      },
    ],
    onErasure: { stays: 'that something was noticed; without a name it belongs to an empty account' },
    kept: untilErased,
    columns: {
      id: 'Flag ID',
      kind: 'What was noticed',
      key: internal('What was compared', 'it may identify another member'),
      review_id: 'Review ID',
      other_review_id: internal('Review it was compared with', 'it belongs to another member'),
      listing_id: 'Listing ID',
      ring_id: 'Ring ID',
      member_id: person('Member it is about'),
      facts: 'Values that were compared, and the limit',
      found_at: internal('When it was noticed', 'it may identify another member'),
      closed_at: 'When our staff closed it',
      closed_by: person('Member of staff who closed it'),
      closed_as: 'How it was closed',
      reason: 'Why it was dismissed',
      case_id: 'Case ID',
    },
  },
  similar_proofs: {
    holds: 'Proofs of yours that look almost like another one',
    sections: [
      {
        name: 'similarProofs',
        where: (memberId) =>
          sql<boolean>`proof_id in (select id from proofs where uploader_id = ${memberId})`,
      },
    ],
    onErasure: { stays: 'that two pictures look alike; without a name they belong to an empty account' },
    kept: untilErased,
    columns: {
      proof_id: 'Proof ID',
      similar_to: internal('Proof that it looks like', 'it belongs to another review'),
      bits_apart: internal('How much the two fingerprints differ'),
      found_at: 'When it was noticed',
    },
  },
  ledger_entries: {
    holds: 'Your ledger of reviews given and received',
    sections: [{ name: 'ledger', where: ofMember }],
    onErasure: { stays: 'the ledger of all members adds up to zero' },
    kept: untilErased,
    columns: {
      id: 'Entry ID',
      review_id: 'Review ID',
      member_id: person('Owner'),
      reason:
        'Reason: given, received, settled with the club, carried over from another account, ' +
        'corrected by our staff, or given and counted after an appeal',
      corrects: 'ID of the entry that this one corrects',
      delta: 'Change of the balance',
      at: 'Time',
    },
  },
  identity_hashes: {
    holds:
      'Keyed hashes of the email addresses and sign-in accounts you have had, and of the listings you ' +
      'received reviews for. Two accounts with one of the first two are never matched with each other, ' +
      'neither joins while a bank disputes a payment of one, and our staff sees that both are one person. ' +
      'If you leave after receiving more reviews than you gave, they stay with that number alone, and an ' +
      'account that joins again with one of them starts with that balance. If your membership ends, an ' +
      'account with one of them that pays takes over what you owe',
    sections: [{ name: 'identityHashes', where: ofMember }],
    onErasure: 'deleted',
    kept: `as long as your account, and with a debt for ${retention.debtMonths} months more`,
    columns: {
      member_id: person('Owner'),
      hash: secret('Hash'),
      of_listing: internal('Whether it is the hash of a listing'),
    },
  },
  carried_debts: {
    holds:
      'Reviews owed that came with a listing which you connected, from its former seller. The hashes are ' +
      'theirs, so that they owe it again if they come back',
    sections: [{ name: 'carriedDebts', where: ofMember }],
    onErasure: 'deleted',
    kept: `until your balance is even, ${retention.debtMonths} months at most`,
    columns: {
      id: internal('Entry ID'),
      member_id: person('Who owes it now'),
      listing_id: 'Listing ID',
      hashes: secret('Hashes of the addresses and sign-in accounts of the former seller'),
      listing_hashes: secret('Hashes of the reviewed listings of the former seller'),
      owed: 'Reviews owed',
      kept_until: internal('Until when it is kept', 'the account it came from is deleted'),
    },
  },
  debts: {
    holds: 'Debts of accounts that were deleted',
    sections: [],
    onErasure: {
      stays:
        'the number of reviews owed, with keyed hashes, ' +
        'so that no one leaves a debt behind by starting again',
    },
    kept: `for ${retention.debtMonths} months`,
    columns: {
      id: internal('Entry ID'),
      hashes: secret('Hashes of the addresses and sign-in accounts of the account'),
      listing_hashes: secret('Hashes of the reviewed listings of the account'),
      owed: internal('Reviews owed', 'the account it came from is deleted'),
      kept_until: internal('Until when it is kept', 'the account it came from is deleted'),
    },
  },
  kept_suspensions: {
    holds: 'Suspensions of accounts that were deleted',
    sections: [],
    onErasure: {
      stays:
        'until when you are suspended, with keyed hashes, so that no one ends a suspension by starting again',
    },
    kept: `until the suspension ends; for ${retention.suspensionMonths} months when it has no end`,
    columns: {
      id: internal('Entry ID'),
      hashes: secret('Hashes of the addresses and sign-in accounts of the account'),
      until: internal('The day on which it is over', 'the account it came from is deleted'),
      kept_until: internal('Until when it is kept', 'the account it came from is deleted'),
    },
  },
  kept_records: {
    holds: 'Missed reviews and sanctions of accounts that were deleted',
    sections: [],
    onErasure: {
      stays:
        'the days of your missed reviews and sanctions that still count, and a missed review for each ' +
        'that you leave unfinished, with keyed hashes, ' +
        'so that no one gets rid of them by starting again',
    },
    kept:
      `a missed review or a report without any basis for ${strikes.days} days, ` +
      `a sanction for ${sanctionLadder.days} days, both from the day on which you got it`,
    columns: {
      id: internal('Entry ID'),
      hashes: secret('Hashes of the addresses and sign-in accounts of the account'),
      kind: internal('Whether it is a strike or which sanction', 'the account it came from is deleted'),
      at: internal('The day on which you got it', 'the account it came from is deleted'),
      kept_until: internal('Until when it is kept', 'the account it came from is deleted'),
    },
  },
  strikes: {
    holds: 'Reviews you missed, and reports you made without any basis',
    sections: [{ name: 'missedReviews', where: ofMember }],
    onErasure: { stays: 'why a review ended; without a name it belongs to an empty account' },
    kept: untilErased,
    columns: {
      id: 'Entry ID',
      member_id: person('Owner'),
      review_id: 'Review ID',
      report_id: 'ID of a report without any basis',
      withdrawn_at: 'When an appeal withdrew it',
      created_at: 'Time',
    },
  },
  cases: {
    holds: 'What our staff decides or decided about your reviews and listings',
    sections: [
      {
        name: 'casesAboutMyReviews',
        where: (memberId) => sql<boolean>`member_id = ${memberId} and subject = 'review'`,
        without: idsOfProduct,
      },
      {
        name: 'casesAboutMyListings',
        where: (memberId) => sql<boolean>`member_id = ${memberId} and subject = 'listing'
          and exists (select from case_decisions d where d.case_id = cases.id and ${decidedAgainst})`,
      },
    ],
    onErasure: { stays: 'the record of a decision; without a name it belongs to an empty account' },
    kept: untilErased,
    columns: {
      // It has the moment at which the case was opened.
      id: internal('Case ID', 'it may identify another member'),
      subject: 'Kind of thing it is about',
      review_id: 'Review ID',
      product_id: 'Product ID',
      listing_id: 'Listing ID',
      member_id: person('Member it concerns'),
      state: 'State',
      flagged: 'Whether an automatic check pointed it out',
      opened_at: internal('When it was opened', 'it may identify another member'),
      due_at: internal('Until when our staff decides', 'it may identify another member'),
      assigned_to: person('Member of staff who looks at it'),
      assigned_at: 'Since when they look at it',
      answer_due_at: 'Until when you answer a returned review',
      stood_by_at: 'When you answered that you stand by the review',
      stood_by: empties('Why you stand by the review'),
      closed_at: 'When it was closed',
      closed_as: 'How it was closed',
    },
  },
  reports: {
    holds: 'Reports you made',
    sections: [{ name: 'reports', where: of('reporter_id') }],
    onErasure: {
      stays: 'that there was a report and its reason; without a name it belongs to an empty account',
    },
    kept: untilErased,
    columns: {
      id: 'Report ID',
      case_id: 'Case ID',
      reporter_id: person('Who reported it'),
      review_id: 'Review ID',
      reason: 'Reason',
      explanation: empties('Your explanation to our staff'),
      version: 'Version of the review',
      created_at: 'Time',
      withdrawn_at: 'When you withdrew it',
    },
  },
  case_decisions: {
    holds: 'Decisions about your reviews and listings, with their reasons',
    sections: [
      {
        name: 'decisionsAboutMe',
        where: (memberId) => sql<boolean>`member_id = ${memberId} and ${decidedAgainst}`,
      },
    ],
    onErasure: { stays: 'what was decided and why; without a name it belongs to an empty account' },
    kept: untilErased,
    columns: {
      id: 'Decision ID',
      case_id: internal('Case ID', 'it may identify another member'),
      n: 'Which decision of the case it is',
      outcome: 'What was decided',
      rule: 'Rule',
      findings: 'What it is based on',
      decided_by: person('Member of staff who decided'),
      at: 'Time',
      member_id: person('Member it concerns'),
      unfounded: internal('Whether the report had no basis', 'it is about another member'),
      statement: 'Statement of reasons',
      appeal_until: 'Until when you may appeal',
      overturned_at: 'When an appeal reversed it',
    },
  },
  appeals: {
    holds: 'Your appeals and how they were decided',
    sections: [{ name: 'appeals', where: ofMember }],
    onErasure: { stays: 'that there was an appeal and how it was decided' },
    kept: untilErased,
    columns: {
      id: 'Appeal ID',
      decision_id: 'Decision ID',
      member_id: person('Who appealed'),
      explanation: empties('Why you appealed'),
      created_at: 'Time',
      due_at: 'Until when our staff decides',
      assigned_to: person('Member of staff who looks at it'),
      assigned_at: 'Since when they look at it',
      outcome: 'What was decided',
      findings: 'What it is based on',
      statement: 'Statement of reasons',
      decided_by: person('Member of staff who decided'),
      decided_at: 'When it was decided',
    },
  },
  sanctions: {
    holds: 'Reminders, warnings and suspensions you got for breaking a rule',
    sections: [{ name: 'sanctions', where: ofMember }],
    onErasure: { stays: 'what followed a decision; without a name it belongs to an empty account' },
    kept: untilErased,
    columns: {
      id: 'Sanction ID',
      member_id: person('Member it concerns'),
      decision_id: 'Decision ID',
      kind: 'Kind',
      until: 'End of a suspension',
      created_at: 'Time',
      lifted_at: 'When an appeal lifted it',
    },
  },
  rings: {
    holds: 'Circles of members who review each other more often than chance explains, for our staff',
    sections: [{ name: 'rings', where: (memberId) => sql<boolean>`${memberId}::uuid = any(members)` }],
    onErasure: 'deleted',
    kept: `for ${retention.ringDays} days after we last found it`,
    columns: {
      id: 'Ring ID',
      members: internal('Members of the circle', 'it identifies other members'),
      reviews: 'Reviews along the circle',
      by_chance: 'How many circles like it chance gives in the whole club',
      first_found_at: 'When we first found it',
      last_found_at: 'When we last found it',
    },
  },
  notices: {
    holds: 'Your notifications',
    sections: [{ name: 'notices', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      id: 'Notification ID',
      member_id: person('Owner'),
      dedupe_key: internal('Key that prevents duplicates'),
      title: 'Title',
      message: 'Text',
      priority: 'Priority',
      action_label: 'Button label',
      action_href: 'Button link',
      created_at: 'When it was created',
      read_at: 'When you read it',
      settled_at: 'When what it is about was over',
    },
  },
  activity_items: {
    holds: 'Your activity',
    sections: [{ name: 'activity', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      id: 'Entry ID',
      member_id: person('Owner'),
      dedupe_key: internal('Key that prevents duplicates'),
      type: 'Topic',
      title: 'Title',
      description: 'Text',
      status: 'Kind of news: good, bad, pending, or neutral',
      href: 'Link',
      created_at: 'Time',
    },
  },
  support_messages: {
    holds: 'Your messages to our staff',
    sections: [{ name: 'supportMessages', where: ofMember }],
    onErasure: 'deleted',
    kept:
      'until your account is erased; without an account, ' +
      `${retention.visitorMessageDays} days after it was resolved`,
    columns: {
      id: 'Message ID',
      member_id: person('Owner'),
      name: 'Name you gave',
      email: 'Email address you gave',
      category: 'Topic',
      subject: 'Subject',
      message: 'Message',
      status: 'Status: open or resolved',
      created_at: 'When you wrote',
      resolved_at: 'When it was resolved',
      via: 'Whether you wrote it signed in or on the contact page',
      assigned_to: person('Member of staff who answers'),
      version: internal('How often it changed'),
    },
  },
  support_entries: {
    holds: 'Answers of our staff, and what you wrote back',
    sections: [
      {
        name: 'supportAnswers',
        // Notes among the staff may be about other members.
        where: (memberId) => sql<boolean>`(kind <> 'note'
          and message_id in (select id from support_messages where member_id = ${memberId}))`,
      },
    ],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      id: 'Entry ID',
      message_id: 'ID of the message',
      kind: 'Whether it is an answer or from you',
      author_id: person('Author'),
      body: 'Text',
      created_at: 'When it was written',
    },
  },
}

/** Tables without personal data, and what they hold. */
export const impersonal: Readonly<Record<string, string>> = {
  listings:
    'the pages of marketplaces that were ever connected: by their id there, ' +
    'or by a keyed hash once the seller is erased',
  marketplaces: 'the marketplaces that the club supports, and the staff who read their rules',
  marketplace_versions: 'what the register of marketplaces said before each change',
  marketplace_closures: 'when and why marketplaces were closed',
  lottery_days: 'the secret of each day’s draws',
  beacon_chains: 'the public beacons whose values were mixed into draws',
  draw_records: 'the public list of the days’ secrets',
  match_passes: 'evidence of the draws: numbers that change weekly and identify no one',
  offer_notices_due: 'offers that were made a moment ago, until their notices are written',
  rotation_figures: 'how the whole club is doing',
  ledger_chain: 'salted hashes of the entries of the ledger, which name no one',
  ledger_seals: 'what is published of the ledger: hashes over many entries',
  ring_searches: 'how many circles of reviews the whole club has, and how many chance gives',
  processes: 'the processes that run, and on which machine',
  backups: 'when backups were made, and how large they are',
  restore_drills: 'when a backup was last restored on trial, and what came of it',
  invariant_runs: 'when the rules of the data were checked, and how many rows broke them',
  storage_figures: 'how many files there are',
  saved_replies: 'texts that our staff often answer with',
  site_figures: 'how the whole club is doing',
  money_figures: 'sums of all payments by month, and how many members are in each state',
  club_medians: 'medians over at least twenty members',
  signing_keys: 'the public keys that the club signs with',
  status_checks: 'how the product’s parts are doing',
  status_days: 'how the product’s parts were doing',
}

/** A column of the inventory, with the erasure rule of its table unless it has one. */
export function describeColumn(table: Table, name: string): Column & { onErasure: ErasureRule } {
  const entry = table.columns[name]
  if (entry === undefined) throw new Error(`The data inventory has no column ${name}.`)
  const column = typeof entry === 'string' ? { what: entry } : entry
  return { ...column, onErasure: column.onErasure ?? table.onErasure }
}

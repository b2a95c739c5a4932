// The data inventory: every column of every table with personal data, with its description for the archive,
// its owner, and what erasing the account does to it. A test compares it with the schema.
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { retention, sessionLimits } from '#contract/retention.ts'
import { proofKeptDays } from '#contract/reviews.ts'
import { exportLinkHours } from '#contract/privacy.ts'
import { usernameReservedDays } from '#contract/members.ts'

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
const person = (what: string): Column => ({ what, person: true })
const empties = (what: string): Column => ({ what, onErasure: 'emptied' })
const replaces = (what: string): Column => ({ what, onErasure: 'replaced' })

const of = (column: string) => (memberId: string) => sql<boolean>`${sql.ref(column)} = ${memberId}`
const ofMember = of('member_id')
const ofMyReviews = (memberId: string) =>
  sql<boolean>`review_id in (select id from reviews where reviewer_id = ${memberId})`

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
      updated_at: 'When you last changed it',
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
    sections: [{ name: 'activityLog', where: ofMember }],
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
    kept: 'at most a day',
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
      stripe_customer_id: 'Your customer ID at our payment partner',
      stripe_subscription_id: 'Your subscription ID at our payment partner',
      started_at: 'Start of your membership',
      updated_at: 'When it last changed',
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
      description: empties('Description'),
      tags: empties('Tags'),
      image_id: empties('Picture ID'),
      archived_at: 'When you archived it',
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
      listing_id: 'Listing ID',
      member_id: person('Who tried'),
      attempts: 'How often',
      first_at: 'First time',
      last_at: 'Last time',
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
      balance: 'Reviews you gave minus reviews you received, with what an earlier account owed',
      pending_give: 'Reviews you are writing',
      pending_take: 'Reviews being written for you',
      open_requests: 'Your requests in the queue',
      give_first: 'Whether you give a review before you receive one',
      here_until: empties('Until when you count as present'),
      last_seen_at: empties('When you were last here'),
      standby: 'Whether you get offers only when no one else is available',
      cooldown_until: empties('When your cooldown ends'),
      last_decline_reset: empties('When your last cooldown began'),
      available_at: replaces('When you can get offers; -infinity means at any time'),
      open_offer_id: 'ID of the offer that waits for your answer',
      turn_at: replaces('Since when you have waited for your turn'),
      audit_key: { ...secret('Key of your number in each draw'), onErasure: 'replaced' },
      tier: 'Whether you are present, away, or get no offers',
      band: 'Your priority: members who owe reviews come first',
    },
  },
  review_queue: {
    holds: 'Requests for reviews',
    sections: [
      { name: 'requests', where: of('seller_id') },
      {
        name: 'requestsOfferedToMe',
        where: (memberId) => sql<boolean>`(offered_to = ${memberId} or reviewer_id = ${memberId})`,
        without: ['attempts', 'nudged_at', 'prio_at'],
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
      prio_at: 'Place in the queue',
      offered_to: person('Who got the offer'),
      offered_at: 'When it was offered',
      offer_expires_at: 'When the offer expired',
      reviewer_id: person('Who accepted'),
      accepted_at: 'When it was accepted',
      completed_at: 'When the review was verified',
      closed_at: 'When it ended without a review',
      attempts: 'How often it was offered',
      nudged_at: 'When members were reminded of it',
      lottery_day: 'Day of the draw',
      lottery_ticket: 'Ticket in the draw',
      lottery_nonce: internal('Evidence of the draw', forChecks),
      lottery_commit: internal('Evidence of the draw', forChecks),
      lottery_key: internal('Evidence of the draw', forChecks),
    },
  },
  offers: {
    holds: 'Offers',
    sections: [
      { name: 'offersToMe', where: of('reviewer_id'), without: ['snapshot'] },
      { name: 'offersOfMyRequests', where: of('seller_id'), without: ['reason', 'seen_at', 'set_aside_at'] },
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
  owned_listings: {
    holds: 'Listings that you declined because you already own the product',
    sections: [{ name: 'ownedListings', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: { member_id: person('Owner'), listing_id: 'Listing ID', created_at: 'When you declined it' },
  },
  conflicts: {
    holds: 'Conflicts of interest between you and another member, so that you never review each other',
    sections: [
      { name: 'conflicts', where: (memberId) => sql<boolean>`(lo = ${memberId} or hi = ${memberId})` },
    ],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      lo: internal('One of the two members', 'it may identify another member'),
      hi: internal('The other member', 'it may identify another member'),
      declared_by: person('Who declared it'),
      created_at: internal('When it was declared', 'it may identify another member'),
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
  listing_reports: {
    holds: 'Listings that you reported as broken',
    sections: [{ name: 'brokenListings', where: ofMember }],
    onErasure: 'deleted',
    kept: untilErased,
    columns: {
      listing_id: 'Listing ID',
      member_id: person('Owner'),
      created_at: 'When you reported it',
      closed_at: 'When it left the rotation',
    },
  },
  reviews: {
    holds: 'Reviews',
    sections: [
      { name: 'reviewsWritten', where: of('reviewer_id') },
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
      held_at: 'Since when our staff look at a report about it',
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
      { name: 'staffActionsAboutMe', where: ofMember },
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
        'Reason: given, received, settled when you left, carried over from an earlier account, or corrected by ' +
        'our staff',
      corrects: 'ID of the entry that this one corrects',
      delta: 'Change of the balance',
      at: 'Time',
    },
  },
  identity_hashes: {
    holds:
      'Keyed hashes of the email addresses, sign-in accounts and listings you have had. If you leave after ' +
      'receiving more reviews than you gave, they stay with that number alone, and an account that joins again with ' +
      'one of them starts with that balance',
    sections: [{ name: 'identityHashes', where: ofMember }],
    onErasure: 'deleted',
    kept: `as long as your account, and with a debt for ${retention.debtMonths} months more`,
    columns: { member_id: person('Owner'), hash: secret('Hash') },
  },
  debts: {
    holds: 'Debts of accounts that were deleted',
    sections: [],
    onErasure: {
      stays:
        'the number of reviews owed, with keyed hashes, so that no one leaves a debt behind by starting again',
    },
    kept: `for ${retention.debtMonths} months`,
    columns: {
      id: internal('Entry ID'),
      hashes: secret('Hashes of the addresses, sign-in accounts and listings of the account'),
      owed: internal('Reviews owed', 'the account it came from is deleted'),
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
    holds: 'What our staff decide or decided about your reviews and listings',
    sections: [{ name: 'casesAboutMe', where: ofMember }],
    onErasure: { stays: 'the record of a decision; without a name it belongs to an empty account' },
    kept: untilErased,
    columns: {
      id: 'Case ID',
      subject: 'Kind of thing it is about',
      review_id: 'Review ID',
      product_id: 'Product ID',
      listing_id: 'Listing ID',
      member_id: person('Member it concerns'),
      state: 'State',
      flagged: 'Whether an automatic check pointed it out',
      opened_at: internal('When it was opened', 'it may identify another member'),
      due_at: 'Until when our staff decide',
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
    sections: [{ name: 'decisionsAboutMe', where: ofMember }],
    onErasure: { stays: 'what was decided and why; without a name it belongs to an empty account' },
    kept: untilErased,
    columns: {
      id: 'Decision ID',
      case_id: 'Case ID',
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
      due_at: 'Until when our staff decide',
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
    kept: untilErased,
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
    'the pages of marketplaces that were ever connected: by their id there, or by a keyed hash once the seller is erased',
  marketplaces: 'the marketplaces that the club supports, and the staff who read their rules',
  marketplace_versions: 'what the register of marketplaces said before each change',
  marketplace_closures: 'when and why marketplaces were closed',
  lottery_days: 'the secret of each day’s draws',
  match_passes: 'evidence of the draws: numbers that change weekly and identify no one',
  rotation_figures: 'how the whole club is doing',
  ring_searches: 'how many circles of reviews the whole club has, and how many chance gives',
  processes: 'the processes that run, and on which machine',
  invariant_runs: 'when the rules of the data were checked, and how many rows broke them',
  storage_figures: 'how many files there are',
  saved_replies: 'texts that our staff often answer with',
  site_figures: 'how the whole club is doing',
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

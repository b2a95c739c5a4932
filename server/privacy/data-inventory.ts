// What the club keeps about a person: every column of every table, what it is in plain words, whose it is, how it leaves in the archive of
// their data, and what becomes of it when the account is erased. A test holds it against the schema: no column is in neither list.
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { retention, sessionLimits } from '#contract/retention.ts'
import { proofKeptDays } from '#contract/reviews.ts'
import { exportLinkHours } from '#contract/privacy.ts'
import { usernameReservedDays } from '#contract/members.ts'

/** What erasing the account does: the row goes, the value goes, something that says nothing takes its place, or it stays, and why. */
type ErasureRule = 'deleted' | 'emptied' | 'replaced' | { stays: string }

type Column = {
  what: string
  /** Why it is not in the archive. */
  withheld?: string
  /** It names a member: the archive says `me` or `another member`. */
  person?: true
  /** Where it differs from its table's. */
  onErasure?: ErasureRule
}

/** Rows of a table in the archive, under one heading. */
export type Section = {
  name: string
  where: (memberId: string) => RawBuilder<boolean>
  /** Columns that this view of the table leaves out. */
  without?: readonly string[]
  /** Columns that are there once the review is final: until then nobody but its writer sees them. */
  onceFinal?: readonly string[]
}

export type Table = {
  holds: string
  sections: readonly Section[]
  onErasure: ErasureRule
  /** How long it is kept while the account lives. */
  kept: string
  columns: Readonly<Record<string, string | Column>>
}

const secret = (what: string): Column => ({ what, withheld: 'a secret, or what a secret is known by' })
const inner = (what: string, why = 'a number of ours that says nothing about you'): Column => ({
  what,
  withheld: why,
})
const person = (what: string): Column => ({ what, person: true })
const empties = (what: string): Column => ({ what, onErasure: 'emptied' })
const replaces = (what: string): Column => ({ what, onErasure: 'replaced' })

const of = (column: string) => (memberId: string) => sql<boolean>`${sql.ref(column)} = ${memberId}`
const ofMember = of('member_id')

const forOthers = {
  stays: 'the other side’s record of the exchange; without a name it leads to an empty account',
} as const
const untilClosed = 'as long as the account'

export const catalogue: Readonly<Record<string, Table>> = {
  members: {
    holds: 'Your account',
    sections: [{ name: 'account', where: of('id') }],
    onErasure: { stays: 'the empty account to which the records of others refer' },
    kept: untilClosed,
    columns: {
      id: 'The number of your account',
      email: replaces('Your email address'),
      email_verified: 'Whether you confirmed the address',
      username: empties('Your username'),
      display_name: empties('The name shown to you'),
      full_name: empties('Your full name'),
      image: empties('A picture that a provider named'),
      avatar_key: {
        ...inner('Where your picture is kept', 'the picture itself is in the folder files'),
        onErasure: 'emptied',
      },
      role: replaces('Whether you are a member or on our staff'),
      suspended_at: empties('When your account was suspended'),
      erased_at: 'When the account was erased',
      created_at: 'When you signed up',
      updated_at: 'When the account changed last',
      two_factor_enabled: replaces('Whether two-factor authentication is on'),
      locale: replaces('How dates are written for you'),
      time_zone: empties('Your time zone'),
      username_changed_at: empties('When you changed your username'),
    },
  },
  sessions: {
    holds: 'Where you are signed in',
    sections: [{ name: 'sessions', where: ofMember }],
    onErasure: 'deleted',
    kept: `${sessionLimits.member.totalDays} days at most`,
    columns: {
      id: 'The number of the login session',
      token: secret('What the cookie holds'),
      member_id: person('Whose it is'),
      expires_at: 'When it ends at the latest',
      last_seen_at: 'When it was used last',
      ip_address: 'The network you came from; never the whole address',
      user_agent: 'The browser, as it names itself',
      created_at: 'When you signed in',
      updated_at: 'When it changed last',
      confirmed_at: 'When you proved last that it is you',
    },
  },
  login_methods: {
    holds: 'How you sign in',
    sections: [{ name: 'signInMethods', where: ofMember }],
    onErasure: 'deleted',
    kept: untilClosed,
    columns: {
      id: 'The number of the way in',
      member_id: person('Whose it is'),
      provider_id: 'A password, or which provider',
      account_id: 'Your account’s number at the provider',
      password: secret('What your password is known by'),
      pending_hash: secret('The browser that signed up'),
      access_token: secret('Always empty'),
      refresh_token: secret('Always empty'),
      id_token: secret('Always empty'),
      access_token_expires_at: inner('Always empty'),
      refresh_token_expires_at: inner('Always empty'),
      scope: 'What the provider was asked for',
      created_at: 'Since when',
      updated_at: 'When it changed last',
    },
  },
  passkeys: {
    holds: 'Your passkeys',
    sections: [{ name: 'passkeys', where: ofMember }],
    onErasure: 'deleted',
    kept: untilClosed,
    columns: {
      id: 'The number of the passkey',
      member_id: person('Whose it is'),
      name: 'What you call it',
      public_key: secret('What it is known by'),
      credential_id: secret('What it is known by'),
      counter: inner('How often it was used'),
      device_type: 'Whether it stays on one device',
      backed_up: 'Whether your device keeps a copy',
      transports: 'How the device is reached',
      aaguid: 'The kind of device',
      created_at: 'Since when',
      last_used_at: 'When you used it last',
    },
  },
  two_factor_secrets: {
    holds: 'Your two-factor authentication',
    sections: [{ name: 'secondFactor', where: ofMember }],
    onErasure: 'deleted',
    kept: untilClosed,
    columns: {
      id: 'The number of the entry',
      member_id: person('Whose it is'),
      secret: secret('What your authenticator app knows too'),
      backup_codes: secret('Your recovery codes'),
      pending_secret: secret('What a new authenticator app will know too'),
      verified: 'Whether a first code was entered',
      failed_verification_count: 'Wrong codes since the last right one',
      locked_until: 'Until when no code is taken',
      created_at: 'Since when',
    },
  },
  one_time_secrets: {
    holds: 'Links that were mailed to you and not used',
    sections: [{ name: 'mailedLinks', where: ofMember }],
    onErasure: 'deleted',
    kept: `${retention.signUpDays} days at most`,
    columns: {
      hash: secret('What the link is known by'),
      member_id: person('Whose it is'),
      purpose: 'What the link is for',
      data: secret('What belongs to the link'),
      created_at: 'When it was sent',
      expires_at: 'Until when it works',
    },
  },
  email_changes: {
    holds: 'A change of your address that is under way',
    sections: [{ name: 'emailChange', where: ofMember }],
    onErasure: 'deleted',
    kept: 'until it is confirmed or expires',
    columns: {
      member_id: person('Whose it is'),
      new_email: 'The new address',
      old_hash: secret('What the link to the old address is known by'),
      new_hash: secret('What the link to the new address is known by'),
      old_confirmed_at: 'When the old address agreed',
      new_confirmed_at: 'When the new address agreed',
      created_at: 'When you asked for it',
      expires_at: 'Until when it may be confirmed',
      session_id: 'The login session that asked for it',
    },
  },
  sign_in_states: {
    holds: 'A sign-in with a provider that is under way',
    sections: [],
    onErasure: 'deleted',
    kept: 'minutes',
    columns: {
      id: inner('The number of the entry'),
      identifier: secret('What the browser’s attempt is known by'),
      value: secret('What the provider’s answer is checked against'),
      expires_at: inner('Until when it counts'),
      created_at: inner('Since when'),
      updated_at: inner('When it changed last'),
    },
  },
  reserved_usernames: {
    holds: 'Usernames you gave up',
    sections: [{ name: 'reservedUsernames', where: ofMember }],
    onErasure: {
      stays: `so that nobody can pass for you: the bare name, without an owner, for ${usernameReservedDays} days`,
    },
    kept: `${usernameReservedDays} days`,
    columns: {
      username: 'The name',
      member_id: { what: 'Whose it was', person: true, onErasure: 'emptied' },
      reserved_until: 'Until when nobody else may have it',
    },
  },
  notice_preferences: {
    holds: 'What you want to be told, and how',
    sections: [{ name: 'noticePreferences', where: ofMember }],
    onErasure: 'deleted',
    kept: untilClosed,
    columns: {
      member_id: person('Whose it is'),
      kind: 'What it is about',
      in_app: 'Notification on the screen',
      by_email: 'Notification by email',
      updated_at: 'When you changed it last',
    },
  },
  data_exports: {
    holds: 'Archives of your data that you asked for',
    sections: [{ name: 'archives', where: ofMember }],
    onErasure: 'deleted',
    kept: `the archive ${exportLinkHours} hours, the entry ${retention.exportDays} days`,
    columns: {
      id: 'The number of the archive',
      member_id: person('Whose it is'),
      state: 'What became of it',
      hash: secret('What the link is known by'),
      file_key: inner('Where it is kept'),
      bytes: 'How large it is',
      requested_at: 'When you asked for it',
      expires_at: 'Until when it can be downloaded',
    },
  },
  erasures: {
    holds: 'That an account was erased, to do it again after a restore',
    sections: [],
    onErasure: { stays: 'the bare number of an account that is empty' },
    kept: `${retention.erasureDays} days`,
    columns: {
      member_id: inner('The number of the account that was erased'),
      erased_at: inner('When it was erased'),
    },
  },
  activity_logs: {
    holds: 'What was done with your account, for your safety',
    sections: [{ name: 'activityLog', where: ofMember }],
    onErasure: { stays: 'that something happened at a time; not to whom, from where or with what' },
    kept: `${retention.activityLogDays} days`,
    columns: {
      id: 'The number of the entry',
      member_id: { what: 'Whose it is', person: true, onErasure: 'emptied' },
      action: 'What was done',
      metadata: empties('With what'),
      ip_address: empties(`The network it came from; emptied after ${retention.addressDays} days`),
      user_agent: empties(`The browser, as it names itself; emptied after ${retention.addressDays} days`),
      created_at: 'When',
    },
  },
  rate_counters: {
    holds: 'How often you did what is limited',
    sections: [{ name: 'limits', where: (memberId) => sql<boolean>`position(${memberId}::text in key) > 0` }],
    onErasure: 'deleted',
    kept: 'a day at most',
    columns: { key: 'What is counted', hits: 'How often', ends_at: 'Until when it counts' },
  },
  idempotency_keys: {
    holds: 'Requests that may be repeated without being done twice',
    sections: [{ name: 'recentRequests', where: of('scope') }],
    onErasure: 'deleted',
    kept: 'a day',
    columns: {
      scope: person('Who sent it'),
      route: 'What was asked',
      key: 'The number your browser gave it',
      request_hash: secret('What the request is known by'),
      answer: inner(
        'What was answered',
        'a copy of what stands elsewhere in the archive, and at times a secret',
      ),
      created_at: 'When',
    },
  },
  events: {
    holds: 'That something changed, so that open pages ask again',
    sections: [
      {
        name: 'events',
        where: (memberId) => sql<boolean>`(actor_id = ${memberId} or ${memberId}::uuid = any(recipients))`,
      },
    ],
    onErasure: { stays: `bare numbers of things, gone within ${retention.eventDays} days` },
    kept: `${retention.eventDays} days`,
    columns: {
      id: 'The number of the event',
      name: 'What happened',
      ids: inner('The numbers of what it happened to'),
      actor_id: person('Who did it'),
      recipients: inner('Whose pages may know', 'it names other members'),
      at: 'When',
      published_at: 'When pages were told',
    },
  },
  mails: {
    holds: 'Mails to you',
    sections: [{ name: 'mails', where: ofMember }],
    onErasure: 'deleted',
    kept: `${retention.mailDays} days`,
    columns: {
      id: 'The number of the mail',
      dedupe_key: inner('What keeps it from being sent twice'),
      member_id: person('Whose it is'),
      to_address: 'The address',
      template: 'Which mail',
      props: inner('What it says, until it is sent', 'it may hold a link that works once'),
      attempts: 'How often sending was tried',
      error: 'Why it failed',
      created_at: 'When it was written',
      next_try_at: 'When it is tried next',
      sent_at: 'When it was sent',
      failed_at: 'When it failed for good',
    },
  },
  demo_mails: {
    holds: 'In the demo: the mails themselves',
    sections: [
      {
        name: 'demoMails',
        where: (memberId) => sql<boolean>`to_address = (select email from members where id = ${memberId})`,
      },
    ],
    onErasure: 'deleted',
    kept: '7 days',
    columns: {
      id: 'The number of the mail',
      message_id: inner('Its number in the outbox'),
      to_address: 'The address',
      subject: 'The subject',
      html: inner('What it says', 'it may hold a link that works once'),
      text: inner('What it says', 'it may hold a link that works once'),
      sent_at: 'When it was sent',
    },
  },
  memberships: {
    holds: 'Your membership',
    sections: [{ name: 'membership', where: ofMember }],
    onErasure: { stays: 'that a membership ended, for our accounts; invoices lie with the payment partner' },
    kept: untilClosed,
    columns: {
      member_id: person('Whose it is'),
      status: replaces('How it stands'),
      source: 'Where it comes from',
      current_period_end: 'Until when it is paid for',
      paused_from: empties('Since when it is paused'),
      paused_until: empties('Until when it is paused'),
      stripe_customer_id: 'Your number at the payment partner',
      stripe_subscription_id: 'Your subscription’s number at the payment partner',
      started_at: 'Since when you are a member',
      updated_at: 'When it changed last',
    },
  },
  marketplace_consents: {
    holds: 'Marketplaces whose rules you agreed to keep',
    sections: [{ name: 'marketplaceConsents', where: ofMember }],
    onErasure: 'deleted',
    kept: untilClosed,
    columns: {
      member_id: person('Whose it is'),
      marketplace_id: 'The number of the marketplace',
      policy_version: 'Which version of its rules',
      consented_at: 'When you agreed',
    },
  },
  products: {
    holds: 'Your products',
    sections: [{ name: 'products', where: of('seller_id') }],
    onErasure: forOthers,
    kept: untilClosed,
    columns: {
      id: 'The number of the product',
      seller_id: person('Whose it is'),
      marketplace_id: 'The number of its marketplace',
      title: replaces('Its name'),
      category: 'Its category',
      coupon_link: replaces('Its coupon link'),
      coupon_link_norm: {
        ...inner('The same link in one spelling', 'it says the same as the coupon link'),
        onErasure: 'replaced',
      },
      price_cents: empties('Its price in cents'),
      description: empties('Its description'),
      tags: empties('Its tags'),
      image_id: empties('The number of its picture'),
      archived_at: 'When you took it out of the rotation',
      deleted_at: 'When you deleted it',
      created_at: 'When you added it',
      updated_at: 'When it changed last',
    },
  },
  images: {
    holds: 'Pictures you uploaded',
    sections: [{ name: 'pictures', where: of('owner_id') }],
    onErasure: 'deleted',
    kept: 'as long as a product shows it',
    columns: {
      id: 'The number of the picture',
      owner_id: person('Whose it is'),
      file_key: inner('Where it is kept', 'the picture itself is in the folder files'),
      widths: 'The widths it is shown in',
      width: 'Its width',
      height: 'Its height',
      bytes: 'How large it is',
      created_at: 'When you uploaded it',
    },
  },
  reviewer_states: {
    holds: 'Your place in the rotation',
    sections: [{ name: 'rotation', where: ofMember }],
    onErasure: { stays: 'the balance, since the ledger sums to zero over everybody' },
    kept: untilClosed,
    columns: {
      member_id: person('Whose it is'),
      standing: 'Whether you take part',
      balance: 'Reviews you gave, less those you received',
      pending_give: 'Reviews you are writing',
      pending_take: 'Reviews being written for you',
      open_requests: 'Requests of yours in the queue',
      give_first: 'Whether you give before you receive',
      here_until: empties('Until when you count as present'),
      last_seen_at: empties('When you were here last'),
      standby: 'Whether you are asked only when nobody else is there',
      cooldown_until: empties('Until when no offers reach you'),
      last_decline_reset: empties('When your last cooldown began'),
      available_at: replaces('From when you may be asked; -infinity is at any time'),
      open_offer_id: 'The offer that waits for your answer',
      turn_at: replaces('Since when you wait for your turn'),
      audit_key: { ...secret('What your number in each draw is made from'), onErasure: 'replaced' },
      tier: 'Present, away, or not to be asked',
      band: 'Who owes comes first',
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
    kept: untilClosed,
    columns: {
      id: 'The number of the request',
      product_id: 'The number of the product',
      seller_id: person('Who asked'),
      status: 'How it stands',
      created_at: 'When it was asked',
      prio_at: 'Its place in the queue',
      offered_to: person('To whom it is offered'),
      offered_at: 'When it was offered',
      offer_expires_at: 'Until when the offer stood',
      reviewer_id: person('Who accepted'),
      accepted_at: 'When it was accepted',
      completed_at: 'When the review was verified',
      closed_at: 'When it ended without one',
      attempts: 'How often it was offered',
      nudged_at: 'When members were asked to look',
      lottery_day: 'The day of its draw',
      lottery_ticket: 'Its ticket',
      lottery_nonce: inner('Evidence of the draw', 'it is evidence, and given to whoever checks a draw'),
      lottery_commit: inner('Evidence of the draw', 'it is evidence, and given to whoever checks a draw'),
      lottery_key: inner('Evidence of the draw', 'it is evidence, and given to whoever checks a draw'),
    },
  },
  offers: {
    holds: 'Offers',
    sections: [
      { name: 'offersToMe', where: of('reviewer_id') },
      { name: 'offersOfMyRequests', where: of('seller_id'), without: ['reason', 'seen_at'] },
    ],
    onErasure: forOthers,
    kept: untilClosed,
    columns: {
      id: 'The number of the offer',
      queue_id: 'The number of the request',
      reviewer_id: person('To whom it was made'),
      seller_id: person('Whose product it is'),
      state: 'What became of it',
      live: 'Whether whoever was asked was present',
      offered_at: 'When it was made',
      expires_at: 'Until when it stood',
      seen_at: 'When it was seen',
      responded_at: 'When it was over',
      reason: empties('Why you declined'),
      pass_id: 'The number of the draw',
      slot: 'The place in the draw’s list',
      skipped: inner('Places that were skipped, and why', 'it is about other members'),
    },
  },
  pair_uses: {
    holds: 'Whom you met in an exchange, so that nobody trades back and forth',
    sections: [{ name: 'pairs', where: (memberId) => sql<boolean>`(lo = ${memberId} or hi = ${memberId})` }],
    onErasure: 'deleted',
    kept: untilClosed,
    columns: {
      // Ids are in the order of joining, so even which of the two is `me` would say who joined first.
      lo: inner('One of the two', 'it may name another member'),
      hi: inner('The other', 'it may name another member'),
      held: 'Whether something is under way between the two',
      last_at: 'When they met last',
      last_reviewer_id: person('Who wrote then'),
    },
  },
  decline_history: {
    holds: 'Offers you declined',
    sections: [{ name: 'declines', where: of('reviewer_id') }],
    onErasure: { stays: 'that an offer was declined, without the reason' },
    kept: untilClosed,
    columns: {
      id: 'The number of the entry',
      reviewer_id: person('Who declined'),
      offer_id: 'The number of the offer',
      reason: empties('The reason you gave'),
      counted: 'Whether it counted',
      cooldown_applied_minutes: 'The cooldown it brought, in minutes',
      created_at: 'When',
    },
  },
  reviews: {
    holds: 'Reviews',
    sections: [
      { name: 'reviewsWritten', where: of('reviewer_id'), without: ['return_explanation'] },
      {
        name: 'reviewsReceived',
        where: of('seller_id'),
        without: ['draft', 'draft_saved_at', 'coupon_opened_at', 'coupon_opens'],
        onceFinal: ['rating', 'body', 'used_for', 'not_for', 'ai_assisted', 'posted_link'],
      },
    ],
    onErasure: { stays: 'what was given and received is the club’s record; its writer is a former member' },
    kept: untilClosed,
    columns: {
      id: 'The number of the review',
      queue_id: 'The number of the request',
      product_id: 'The number of the product',
      reviewer_id: person('Who writes'),
      seller_id: person('Whose product it is'),
      marketplace_id: 'The number of the marketplace',
      status: 'How it stands',
      accepted_at: 'When it was accepted',
      purchase_due_at: 'Until when to buy',
      due_at: 'Until when to hand in',
      coupon_opened_at: 'When the coupon link was opened first',
      coupon_opens: 'How often the coupon link was opened',
      coupon_price_cents: 'The coupon price paid, in cents',
      purchased_at: 'When the purchase was proved',
      usable_from: 'From when it could be handed in',
      submitted_at: 'When it was handed in',
      confirm_due_at: 'Until when the seller may answer',
      returned_at: 'When it was returned',
      return_reason: 'Why it was returned',
      return_explanation: empties('What you told our staff about it'),
      return_due_at: 'Until when to put it right',
      returns: 'How often it was returned',
      verified_at: 'When it became final',
      verified_by: 'How it became final',
      lapsed_at: 'When it ended without becoming final',
      rating: 'The stars',
      body: 'The text',
      used_for: 'What it was used for',
      not_for: 'Whom it is not for',
      ai_assisted: 'Whether a program helped to write',
      disclosure: 'The disclosure it begins with',
      posted_link: empties('Where it was posted'),
      draft: empties('What is written so far'),
      draft_saved_at: empties('When that was saved'),
    },
  },
  review_versions: {
    holds: 'Each version of a review that you handed in',
    sections: [
      {
        name: 'reviewVersions',
        where: (memberId) =>
          sql<boolean>`review_id in (select id from reviews where reviewer_id = ${memberId})`,
      },
    ],
    onErasure: { stays: 'of final reviews, as they do; of others it is deleted' },
    kept: untilClosed,
    columns: {
      review_id: 'The number of the review',
      version: 'Which version',
      rating: 'The stars',
      body: 'The text',
      used_for: 'What it was used for',
      not_for: 'Whom it is not for',
      ai_assisted: 'Whether a program helped to write',
      created_at: 'When it was handed in',
    },
  },
  proofs: {
    holds: 'Your proofs of purchase',
    sections: [{ name: 'proofs', where: of('uploader_id') }],
    onErasure: {
      stays: 'that a purchase was proved, and the fingerprint of the file, so that it proves no second one',
    },
    kept: `files ${proofKeptDays} days after the review is final`,
    columns: {
      id: 'The number of the proof',
      review_id: 'The number of the review',
      uploader_id: person('Whose it is'),
      kind: 'An order number, or a file',
      order_id: empties('The order number'),
      file_key: {
        ...inner('Where it is kept', 'the file itself is in the folder files'),
        onErasure: 'emptied',
      },
      mime: 'The kind of file',
      bytes: 'How large it is',
      sha256: inner('The fingerprint of the file', 'it can be made again from the file'),
      original_name: empties('What you had called the file'),
      state: replaces('Whether the file is kept'),
      created_at: 'When you added it',
    },
  },
  ledger_entries: {
    holds: 'Reviews given and received, one by one',
    sections: [{ name: 'ledger', where: ofMember }],
    onErasure: { stays: 'the ledger sums to zero over everybody' },
    kept: untilClosed,
    columns: {
      id: 'The number of the entry',
      review_id: 'The number of the review',
      member_id: person('Whose it is'),
      reason: 'Given, received, or settled',
      delta: 'One more, or one less',
      at: 'When',
    },
  },
  strikes: {
    holds: 'Reviews you missed',
    sections: [{ name: 'missedReviews', where: ofMember }],
    onErasure: { stays: 'why a review ended; without a name it leads to an empty account' },
    kept: untilClosed,
    columns: {
      id: 'The number of the entry',
      member_id: person('Whose it is'),
      review_id: 'The number of the review',
      created_at: 'When',
    },
  },
  notices: {
    holds: 'What you were told',
    sections: [{ name: 'notices', where: ofMember }],
    onErasure: 'deleted',
    kept: untilClosed,
    columns: {
      id: 'The number of the notice',
      member_id: person('Whose it is'),
      dedupe_key: inner('What keeps it from being told twice'),
      title: 'Its title',
      message: 'What it says',
      priority: 'How urgent it is',
      action_label: 'What its button says',
      action_href: 'Where its button leads',
      created_at: 'When you were told',
      read_at: 'When you read it',
    },
  },
  activity_items: {
    holds: 'What happened around you',
    sections: [{ name: 'activity', where: ofMember }],
    onErasure: 'deleted',
    kept: untilClosed,
    columns: {
      id: 'The number of the entry',
      member_id: person('Whose it is'),
      dedupe_key: inner('What keeps it from being told twice'),
      type: 'What it is about',
      title: 'Its title',
      description: 'What it says',
      status: 'Good, bad, waiting, or plain news',
      href: 'Where it leads',
      created_at: 'When',
    },
  },
  support_messages: {
    holds: 'What you wrote to our staff',
    sections: [{ name: 'supportMessages', where: ofMember }],
    onErasure: 'deleted',
    kept: untilClosed,
    columns: {
      id: 'The number of the message',
      member_id: person('Whose it is'),
      name: 'Your name as you wrote',
      email: 'Your address as you wrote',
      category: 'What it is about',
      subject: 'The subject',
      message: 'The message',
      status: 'Open or answered',
      created_at: 'When you wrote',
      resolved_at: 'When it was answered',
    },
  },
}

/** Tables that say nothing about a person, and what they are. */
export const impersonal: Readonly<Record<string, string>> = {
  marketplaces: 'the marketplaces the club is open to, and who of our staff read their rules',
  lottery_days: 'the secret of each day’s draws',
  match_passes: 'evidence of the draws: numbers that change weekly and lead to nobody',
  rotation_figures: 'how the whole club is doing',
  site_figures: 'how the whole club is doing',
  status_checks: 'how the product’s parts are doing',
  status_days: 'how the product’s parts were doing',
}

/** A column as the catalogue has it, with what it inherits from its table. */
export function describeColumn(table: Table, name: string): Column & { onErasure: ErasureRule } {
  const entry = table.columns[name]
  if (entry === undefined) throw new Error(`The catalogue does not know the column ${name}.`)
  const column = typeof entry === 'string' ? { what: entry } : entry
  return { ...column, onErasure: column.onErasure ?? table.onErasure }
}

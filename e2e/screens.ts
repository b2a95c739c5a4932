// Every screen of the product and its main dialogs, for the audit and for the pictures of `npm run shots`.
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import type { Offer } from '#contract/matching.ts'
import type { ProductCard } from '#contract/products.ts'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import type { Wait } from '#contract/waiting.ts'
import { demoPassword } from '#db/seed/cast.ts'
import { busyYear } from '#web/analytics/testing.ts'
import { anInvoice, newcomer, paying } from '#web/membership/testing.ts'
import { paths } from '#web/paths.ts'
import { answerInPage, keepSimulatorOut, newContext } from './browsers.ts'
import { aFullOrganization } from '#web/organization/testing.ts'
import { ada, newCodeOf, sam } from './staff.ts'

export type Screen = {
  name: string
  /** The signed-in member of the demo's cast; none on public and sign-in pages. */
  as?: Who
  /** Its address, or how to find it in the lists of the member. */
  at: string | ((read: Read) => Promise<string>)
  /**
   * Replaces answers of the server, by the path below /api. For states that no seeded member is in.
   */
  answers?: Record<string, Answer>
  /**
   * The server does not answer, or fails. `from: 'start'` includes the request for the signed-in member.
   */
  trouble?: { server: 'silent' | 'failing'; from: 'start' | 'page' }
  /** Opens the part to audit, after the page has loaded. */
  open?: (page: Page) => Promise<void>
  /** Keeps the page from leaving by itself after so many milliseconds. */
  leavesAfter?: number
  /** The address that the server refuses on this screen, as it should. The browser's console reports it. */
  refuses?: string
  /** Rendered by the server for everyone. Its layout does not shift while it loads. */
  isPublic?: boolean
  /** Only on phones, where the sidebar is a drawer. */
  phoneOnly?: boolean
}

/**
 * Anna has everything; ben has a review to start; clara owes one and gets an offer; dario is on cooldown;
 * finn has nothing yet. sam is of the support, ada an admin.
 */
type Who = 'anna' | 'ben' | 'clara' | 'dario' | 'finn' | 'sam' | 'ada'

type Read = <T>(path: string) => Promise<T>
/** Makes an answer from the server's own or from anything that the member may read. */
type Answer = (given: () => Promise<object>, read: Read) => unknown
type Row = { id: string; status: string }
type Rows = { items: Row[] }

const waitingId = '00000000-0000-7000-8000-000000000002'

/** A wait in a club that is large enough for every line of it. */
const aWait: Wait = {
  id: waitingId,
  status: 'queued',
  position: 3,
  requestedAt: hoursFromNow(-2),
  heldBy: null,
  heldUntil: null,
  beaconUntil: hoursFromNow(1),
  couldBeAsked: 200,
  hereNow: 5,
  leftOut: [
    { rule: 'over_cap', members: 20 },
    { rule: 'paired_before', members: 10 },
  ],
  atThisHour: { requests: 44, hours: 3.5 },
  typicalWaitHours: 2.5,
  busiest: { from: '2026-11-23T17:00:00.000Z', until: '2026-11-23T21:00:00.000Z' },
  steps: [
    { kind: 'accepted', at: hoursFromNow(1) },
    { kind: 'ahead', at: hoursFromNow(21) },
    { kind: 'absent', at: hoursFromNow(21) },
    { kind: 'standby', at: hoursFromNow(45) },
  ],
  pairWindowDays: 90,
  toWrite: 1,
  movesAhead: false,
  serverTime: hoursFromNow(0),
}

const withProvider: Screen['answers'] = {
  'sign-in-options': () => ({ provider: { id: 'google', name: 'Google' }, needsCode: false }),
}

/** The public pages, as visitors see them. */
export const front: Screen[] = asPublic([
  { name: 'front-page', at: paths.home() },
  {
    name: 'front-page-menu',
    at: paths.home(),
    phoneOnly: true,
    open: (page) => page.locator('header summary').click(),
  },
  { name: 'features', at: paths.features() },
  { name: 'pricing', at: paths.pricing() },
  { name: 'help', at: paths.help() },
  { name: 'help-search', at: `${paths.help()}?q=coupon` },
  { name: 'rules', at: paths.rules() },
  { name: 'fairness', at: paths.fairness() },
  { name: 'draw-check', at: paths.drawCheck() },
  {
    name: 'draw-check-no-receipt',
    at: paths.drawCheck(),
    async open(page) {
      await page.getByLabel('Receipt', { exact: true }).fill('hello')
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByText('This isn’t a receipt').first().waitFor()
    },
  },
  {
    name: 'draw-check-own',
    as: 'anna',
    at: paths.drawCheck(),
    async open(page) {
      await page
        .getByRole('link', { name: /^Check the draw of/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'draw-check-report',
    as: 'anna',
    at: async (read) => paths.drawCheck((await read<{ request: string }[]>('draws')).at(-1)?.request),
    async open(page) {
      await page.getByRole('status').filter({ hasText: 'Every step holds' }).waitFor()
    },
  },
  { name: 'draw-days', at: paths.drawDays() },
  { name: 'status', at: paths.status() },
  { name: 'contact', at: paths.contact() },
  { name: 'contact-sent', at: `${paths.contact()}?sent=1` },
  { name: 'articles-public', at: paths.articles() },
  { name: 'article-public', at: paths.article('how-it-works') },
  { name: 'privacy', at: paths.privacy() },
  { name: 'terms', at: paths.terms() },
  { name: 'security', at: paths.security() },
  { name: 'page-not-found', at: '/no-such-page', refuses: '/no-such-page' },
  { name: 'unsubscribe-incomplete', at: paths.unsubscribe(), refuses: paths.unsubscribe() },
])

export const signInPages: Screen[] = [
  { name: 'sign-in', at: paths.signIn() },
  {
    name: 'sign-in-errors',
    at: paths.signIn(),
    open: (page) => page.getByRole('button', { name: 'Sign in', exact: true }).click(),
  },
  { name: 'sign-in-link-expired', at: paths.signIn({ reason: 'link_expired' }) },
  { name: 'sign-in-link-again', at: paths.signIn({ reason: 'link_again' }) },
  { name: 'sign-in-reset', at: paths.signIn({ reset: 'success' }) },
  { name: 'sign-in-provider', at: paths.signIn(), answers: withProvider },
  {
    name: 'sign-in-provider-refused',
    at: paths.signIn({ error: 'account_not_linked' }),
    answers: withProvider,
  },
  { name: 'sign-in-code', at: paths.signIn({ twoFactor: '1' }) },
  {
    name: 'sign-in-code-wrong',
    at: paths.signIn({ twoFactor: '1' }),
    async open(page) {
      await page.getByLabel('6-digit code').fill('12345')
      await page.getByRole('button', { name: 'Verify' }).click()
    },
  },
  {
    name: 'sign-in-recovery-code',
    at: paths.signIn({ twoFactor: '1' }),
    open: (page) => page.getByRole('button', { name: 'Use a recovery code' }).click(),
  },
  { name: 'sign-up', at: paths.signUp() },
  { name: 'sign-up-provider', at: paths.signUp(), answers: withProvider },
  {
    name: 'sign-up-errors',
    at: paths.signUp(),
    async open(page) {
      await page.getByLabel('Username').fill('nora-signs-up')
      await page.getByText('Looks great!').waitFor()
      await page.getByLabel('Email').fill('nora')
      await page.getByLabel('Password', { exact: true }).fill('short')
      await page.getByLabel('Confirm password').fill('longer')
      await page.getByRole('button', { name: 'Create account' }).click()
    },
  },
  { name: 'verify-email-sent', at: paths.verifyEmail({ reason: 'signup' }) },
  { name: 'verify-email-unconfirmed', at: paths.verifyEmail({ reason: 'signin_unconfirmed' }) },
  { name: 'verify-email-resent', at: paths.verifyEmail({ resent: '1' }) },
  linkScreen('callback-confirm', paths.authCallback(), { sameBrowser: true }),
  linkScreen('callback-choose-password', paths.authCallback(), { sameBrowser: false }),
  linkScreen('callback-not-me', paths.authCallback({ type: 'not_me' }), { sameBrowser: false }),
  {
    name: 'callback-expired',
    refuses: '/api/verify-email/read',
    at: `${paths.authCallback()}#token=this-link-was-used-before`,
    open: (page) => page.waitForURL('**/signin*'),
  },
  {
    name: 'callback-email-change',
    at: '/auth/callback?type=email_change#token=a-link-from-the-mailbox',
    answers: { 'email-change/read': () => changeOfAddress },
  },
  {
    name: 'callback-email-change-not-me',
    at: '/auth/callback?type=email_change#token=a-link-from-the-mailbox',
    answers: { 'email-change/read': () => changeOfAddress },
    open: (page) => page.getByRole('button', { name: 'This was not me' }).click(),
  },
  {
    name: 'callback-email-change-waiting',
    at: '/auth/callback?type=email_change#token=a-link-from-the-mailbox',
    answers: {
      'email-change/read': () => changeOfAddress,
      'email-change/confirm': () => ({ changed: false }),
    },
    async open(page) {
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('heading', { name: 'One more mailbox' }).waitFor()
    },
  },
  {
    name: 'callback-email-change-expired',
    refuses: '/api/email-change/read',
    at: '/auth/callback?type=email_change#token=this-link-was-used-before',
    open: (page) => page.getByRole('heading', { name: 'Link expired or invalid' }).waitFor(),
  },
  { name: 'reset-password', at: paths.resetPassword() },
  {
    name: 'reset-password-sent',
    at: paths.resetPassword(),
    answers: { 'reset-password': () => ({ ok: true }) },
    async open(page) {
      await page.getByLabel('Email').fill('unknown@evenhand.example')
      await page.getByRole('button', { name: 'Send password reset link' }).click()
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    },
  },
  {
    name: 'reset-password-new',
    at: `/auth/callback?type=recovery#token=a-link-from-the-mailbox`,
    answers: { 'reset-password/read': () => ({ maskedEmail: '••••@evenhand.example' }) },
    open: (page) => page.waitForURL('**/reset-password/confirm'),
  },
  { name: 'reset-password-expired', at: '/reset-password/confirm' },
  { name: 'not-found', at: '/nowhere', refuses: '/nowhere' },
]

export const pages: Screen[] = [
  { name: 'dashboard', as: 'anna', at: paths.dashboard() },
  { name: 'dashboard-new-member', as: 'finn', at: paths.dashboard() },
  { name: 'assets', as: 'anna', at: paths.assets() },
  { name: 'assets-empty', as: 'finn', at: paths.assets() },
  { name: 'discover', as: 'anna', at: paths.discover() },
  { name: 'discover-none', as: 'anna', at: paths.discover({ q: 'no such product' }) },
  {
    name: 'discover-empty',
    as: 'finn',
    at: paths.discover(),
    answers: { discover: () => ({ items: [], next: null }) },
  },
  { name: 'trending', as: 'anna', at: paths.trending() },
  {
    name: 'trending-empty',
    as: 'finn',
    at: paths.trending(),
    answers: { trending: () => ({ items: [], next: null }) },
  },
  { name: 'reviews', as: 'anna', at: paths.reviews() },
  {
    name: 'reviews-missed',
    as: 'anna',
    at: paths.reviews(),
    answers: { 'missed-reviews': () => ({ count: 2, until: '2027-01-15T09:00:00Z' }) },
  },
  { name: 'reviews-empty', as: 'finn', at: paths.reviews() },
  { name: 'reviews-received', as: 'anna', at: paths.reviews('received') },
  { name: 'reviews-received-empty', as: 'finn', at: paths.reviews('received') },
  { name: 'reviews-finished', as: 'anna', at: `${paths.reviews('received')}&finished=1` },
  { name: 'reviews-none-found', as: 'anna', at: `${paths.reviews()}?q=no-such-product` },
  { name: 'ledger', as: 'anna', at: paths.reviews('ledger') },
  { name: 'ledger-empty', as: 'finn', at: paths.reviews('ledger') },
  { name: 'review-cards', as: 'anna', at: paths.reviewCards(), open: showLastCards },
  { name: 'review-cards-empty', as: 'finn', at: paths.reviewCards() },
  { name: 'receipt', as: 'anna', at: receipt },
  { name: 'analytics', as: 'anna', at: paths.analytics(), answers: { 'analytics*': busyYear } },
  { name: 'analytics-by-week', as: 'anna', at: paths.analytics('week') },
  { name: 'analytics-empty', as: 'finn', at: paths.analytics() },
  { name: 'review-pending', as: 'ben', at: toWrite('pending') },
  { name: 'review-purchased', as: 'anna', at: toWrite('purchased') },
  { name: 'review-verified', as: 'anna', at: toWrite('verified') },
  reviewState('review-late', 'ben', 'pending', { late: true, purchaseDueAt: hoursFromNow(-5) }),
  reviewState('review-handed-in', 'anna', 'verified', {
    status: 'reviewed',
    verifiedAt: null,
    confirmDueAt: hoursFromNow(50),
  }),
  reviewState('review-returned', 'anna', 'purchased', {
    status: 'returned',
    returnReason: 'not_visible',
    returnedAt: hoursFromNow(-2),
    returnDueAt: hoursFromNow(70),
  }),
  reviewState('review-lapsed', 'anna', 'purchased', { status: 'lapsed', lapsedAt: hoursFromNow(-3) }),
  { name: 'received-to-confirm', as: 'anna', at: received('reviewed') },
  { name: 'received-verified', as: 'anna', at: received('verified') },
  { name: 'received-lapsed', as: 'ben', at: received('lapsed') },
  { name: 'activity', as: 'anna', at: paths.activity() },
  { name: 'activity-empty', as: 'finn', at: `${paths.activity()}?type=billing` },
  { name: 'notifications', as: 'anna', at: paths.notifications() },
  { name: 'notifications-empty', as: 'finn', at: paths.notifications() },
  { name: 'cooldown', as: 'dario', at: paths.cooldown() },
  { name: 'cooldown-none', as: 'finn', at: paths.cooldown() },
  { name: 'cooldown-ahead', as: 'anna', at: paths.cooldown() },
  {
    name: 'cooldown-resting',
    as: 'ben',
    at: paths.cooldown(),
    answers: {
      cooldown: async (given) => ({
        ...(await given()),
        refusals: 4,
        restUntil: new Date(Date.now() + 31 * 3_600_000).toISOString(),
        readyFrom: null,
      }),
    },
  },
  { name: 'articles', as: 'anna', at: paths.articles() },
  { name: 'article', as: 'anna', at: paths.article('how-it-works') },
  {
    name: 'billing',
    as: 'anna',
    at: paths.billing(),
    answers: { billing: () => paying, 'billing/invoices': () => ({ items: [anInvoice], next: null }) },
  },
  { name: 'billing-join', as: 'finn', at: paths.billing(), answers: { billing: () => newcomer } },
  { name: 'settings', as: 'anna', at: paths.settings() },
  {
    name: 'settings-changes-pending',
    as: 'anna',
    at: paths.settings(),
    answers: {
      'settings/profile': async (given) => ({
        ...(await given()),
        usernameChangeAt: hoursFromNow(400),
        reservedUsernames: [{ username: 'anna-before', until: hoursFromNow(1800) }],
        emailChange: {
          email: 'anna.lindqvist@somewhere.example',
          oldConfirmed: true,
          newConfirmed: false,
          expiresAt: hoursFromNow(0.7),
        },
      }),
    },
  },
  { name: 'settings-security', as: 'anna', at: paths.settings('security') },
  { name: 'settings-offers-empty', as: 'anna', at: paths.settings('offers') },
  {
    name: 'settings-offers',
    as: 'anna',
    at: paths.settings('offers'),
    answers: {
      'settings/formats': async () => [
        {
          id: '00000000-0000-7000-8000-000000000002',
          category: 'template',
          format: 'figma',
          createdAt: hoursFromNow(-30),
        },
      ],
    },
  },
  {
    name: 'settings-security-all-on',
    as: 'anna',
    at: paths.settings('security'),
    answers: { 'settings/security': everySignInMethod },
  },
  {
    name: 'settings-security-no-password',
    as: 'anna',
    at: paths.settings('security'),
    answers: {
      'settings/security': async (given) => ({
        ...(await everySignInMethod(given)),
        hasPassword: false,
        passkeys: [],
        twoFactor: { enabled: true, required: true, recoveryCodesLeft: 2 },
      }),
    },
  },
  { name: 'organization-empty', as: 'finn', at: paths.organization() },
  {
    name: 'organization',
    as: 'anna',
    at: paths.organization(),
    answers: { organization: () => aFullOrganization },
  },
  { name: 'settings-availability', as: 'anna', at: paths.settings('availability') },
  {
    name: 'settings-availability-hours',
    as: 'anna',
    at: paths.settings('availability'),
    answers: {
      'settings/asking-hours': () => ({
        hours: { days: [1, 2, 3, 4, 5], from: 1200, until: 120 },
        timeZone: 'Europe/Berlin',
        quietUntil: hoursFromNow(7),
        quietFrom: null,
      }),
    },
  },
  { name: 'settings-devices', as: 'anna', at: paths.settings('devices') },
  { name: 'settings-notifications', as: 'anna', at: paths.settings('notifications') },
  { name: 'settings-language', as: 'anna', at: paths.settings('language') },
  { name: 'settings-appearance', as: 'anna', at: paths.settings('appearance') },
  { name: 'settings-data', as: 'anna', at: paths.settings('data') },
  archiveState('settings-data-preparing', { state: 'preparing', expiresAt: null, bytes: null }),
  archiveState('settings-data-ready', { state: 'ready' }),
  archiveState('settings-data-failed', { state: 'failed', expiresAt: null, bytes: null }),
  { name: 'settings-delete', as: 'anna', at: paths.settings('delete') },
  { name: 'member', as: 'anna', at: paths.member('ben') },
  {
    name: 'member-not-found',
    as: 'anna',
    at: paths.member('no-such-member'),
    refuses: '/api/members/no-such-member',
  },
  { name: 'support', as: 'anna', at: paths.support() },
  {
    name: 'support-errors',
    as: 'anna',
    at: paths.support(),
    open: (page) => page.getByRole('button', { name: 'Send message' }).click(),
  },
  { name: 'messages', as: 'anna', at: '/messages', leavesAfter: 3000 },
  { name: 'not-found-member', as: 'anna', at: '/nowhere', refuses: '/nowhere' },
  {
    name: 'review-not-found',
    as: 'anna',
    at: paths.review('00000000-0000-7000-8000-000000000000'),
    refuses: '/api/reviews/00000000-0000-7000-8000-000000000000',
  },
]

export const windows: Screen[] = [
  {
    name: 'billing-pause',
    as: 'anna',
    at: paths.billing(),
    answers: {
      billing: () => ({ ...paying, reviewsToWrite: 1 }),
      'billing/invoices': () => ({ items: [], next: null }),
    },
    async open(page) {
      await page.getByRole('button', { name: 'Pause…' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'account-menu',
    as: 'anna',
    at: paths.dashboard(),
    async open(page) {
      await page.getByRole('button', { name: /^Account menu/ }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'drawer',
    as: 'anna',
    at: paths.dashboard(),
    phoneOnly: true,
    async open(page) {
      await page.getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    },
  },
  {
    name: 'search',
    as: 'anna',
    at: paths.dashboard(),
    async open(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search' }).waitFor()
    },
  },
  {
    name: 'search-nothing',
    as: 'anna',
    at: paths.dashboard(),
    async open(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search' }).fill('a walrus')
    },
  },
  {
    name: 'product',
    as: 'anna',
    at: paths.dashboard(),
    async open(page) {
      await cards(page).first().getByRole('heading').getByRole('button').click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'product-menu',
    as: 'anna',
    at: paths.dashboard(),
    open: (page) => openProductMenu(page),
  },
  {
    name: 'product-edit',
    as: 'anna',
    at: paths.dashboard(),
    async open(page) {
      await openProductMenu(page)
      await page.getByRole('menuitem', { name: 'Edit Asset' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'product-delete',
    as: 'anna',
    at: paths.dashboard(),
    async open(page) {
      await openProductMenu(page)
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'product-history',
    as: 'anna',
    at: paths.assets(),
    async open(page) {
      await cards(page)
        .nth(1)
        .getByRole('button', { name: /^More about/ })
        .click()
      await page.getByRole('menuitem', { name: 'History' }).click()
      await page.getByRole('list', { name: 'Requests and reviews' }).waitFor()
    },
  },
  {
    name: 'product-waiting',
    as: 'anna',
    at: paths.assets(),
    answers: answersOf(aWait),
    open: (page) => openWait(page, 'What would help'),
  },
  {
    name: 'product-held',
    as: 'anna',
    at: paths.assets(),
    answers: answersOf({
      ...aWait,
      status: 'held',
      position: null,
      heldBy: 'taken_back',
      heldUntil: hoursFromNow(20),
    }),
    open: (page) => openWait(page, 'You ended an offer while a member was being asked'),
  },
  {
    name: 'product-withdraw-request',
    as: 'anna',
    at: paths.assets(),
    answers: { products: withAsked },
    async open(page) {
      await openProductMenu(page)
      await page.getByRole('menuitem', { name: 'Withdraw request' }).click()
      await page.getByText('A member is being asked right now').waitFor()
    },
  },
  {
    name: 'products-selected',
    as: 'anna',
    at: paths.assets(),
    async open(page) {
      await page.getByRole('button', { name: 'Select' }).click()
      await page.getByRole('checkbox').first().click()
    },
  },
  {
    name: 'discover-product',
    as: 'anna',
    at: paths.discover(),
    async open(page) {
      await cards(page).nth(1).getByRole('heading').getByRole('button').click()
      await page.getByRole('dialog').getByText('Sold on').waitFor()
    },
  },
  {
    name: 'not-for-me',
    as: 'anna',
    at: paths.discover(),
    async open(page) {
      await page
        .getByRole('button', { name: /^More about/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Not for me' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  { name: 'product-add', as: 'anna', at: paths.assets(), open: openProductForm },
  {
    name: 'product-add-errors',
    as: 'anna',
    at: paths.assets(),
    async open(page) {
      await openProductForm(page)
      await page.getByRole('button', { name: 'Connect product' }).click()
    },
  },
  {
    name: 'product-add-notice',
    as: 'finn',
    at: paths.assets(),
    answers: {
      async marketplaces(given) {
        // The list of marketplaces, and whether the member has read the notice of each.
        const list = (await given()) as { consented: boolean }[]
        return list.map((each) => ({ ...each, consented: false }))
      },
    },
    async open(page) {
      await openProductForm(page)
      const form = page.getByRole('dialog')
      await form.getByLabel('Product name').fill('A pocket map of old Delft')
      await form.getByLabel('Category').click()
      await page.getByRole('option', { name: 'Design' }).click()
      await form.getByLabel('Coupon link').fill('https://makerlane.example/listing/501?coupon=FREE')
      await form.getByRole('button', { name: 'Connect product' }).click()
      await form.getByRole('checkbox').waitFor()
    },
  },
  {
    name: 'received-report',
    as: 'anna',
    at: received('reviewed'),
    async open(page) {
      await page.getByRole('button', { name: 'Report this review' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'offer',
    as: 'clara',
    at: paths.dashboard(),
    answers: { 'offers/current': anOffer },
    open: openOffer,
  },
  {
    name: 'offer-why',
    as: 'clara',
    at: paths.dashboard(),
    answers: {
      'offers/current': anOffer,
      'offers/00000000-0000-7000-8000-000000000001/why': () => ({ here: true, lookedAt: 50, group: 'owes' }),
    },
    async open(page) {
      await openOffer(page)
      await page.getByText('Why did I get this offer?').click()
      await page.getByText('this request’s lottery picked you').waitFor()
    },
  },
  {
    name: 'offer-decline',
    as: 'clara',
    at: paths.dashboard(),
    answers: { 'offers/current': anOffer },
    async open(page) {
      await openOffer(page)
      await page.getByRole('button', { name: 'Decline' }).click()
    },
  },
  {
    name: 'offer-set-aside',
    as: 'clara',
    at: paths.dashboard(),
    answers: { 'offers/current': anOffer },
    open: (page) => page.getByRole('button', { name: 'See the offer' }).waitFor(),
  },
  {
    name: 'search-members',
    as: 'anna',
    at: paths.dashboard(),
    async open(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search' }).fill('be')
      await page
        .getByRole('option', { name: /Member$/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'settings-identity',
    refuses: '/api/settings/two-factor/stop',
    as: 'anna',
    at: paths.settings('security'),
    answers: { 'settings/security': everySignInMethod },
    async open(page) {
      await page.route('**/api/settings/two-factor/stop', (route) =>
        route.fulfill({ status: 403, json: { defined: true, code: 'NOT_FRESH', status: 403, message: '' } }),
      )
      await page.getByRole('button', { name: 'Switch off' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
      await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor()
    },
  },
  {
    name: 'settings-two-factor',
    as: 'anna',
    at: paths.settings('security'),
    answers: { 'settings/two-factor/start': () => newSecret },
    open: openTwoFactor,
  },
  {
    name: 'settings-recovery-codes',
    as: 'anna',
    at: paths.settings('security'),
    answers: {
      'settings/two-factor/start': () => newSecret,
      'settings/two-factor/finish': () => ({ recoveryCodes }),
    },
    async open(page) {
      await openTwoFactor(page)
      await page.getByRole('textbox', { name: 'Code' }).fill('123456')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor()
    },
  },
  {
    name: 'settings-passkey-add',
    as: 'anna',
    at: paths.settings('security'),
    async open(page) {
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('dialog', { name: 'Add a passkey' }).waitFor()
    },
  },
  {
    name: 'settings-time-zones',
    as: 'anna',
    at: paths.settings('language'),
    async open(page) {
      await page.getByRole('combobox', { name: 'Time zone' }).fill('america')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'settings-sign-out-everywhere',
    as: 'anna',
    at: paths.settings('devices'),
    async open(page) {
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'username',
    as: 'finn',
    at: paths.dashboard(),
    answers: { me: async (given) => ({ ...(await given()), username: null }) },
    open: (page) => page.getByRole('dialog').waitFor(),
  },
  {
    name: 'staff-without-second-factor',
    as: 'anna',
    at: paths.dashboard(),
    answers: { me: async (given) => ({ ...(await given()), role: 'support', twoFactor: false }) },
    open: (page) => page.getByText('Your staff account needs two-factor authentication').waitFor(),
  },
]

const troubled = new Set(
  `dashboard assets discover trending reviews reviews-received review-purchased received-verified activity
  notifications cooldown ledger review-cards analytics-by-week settings settings-security settings-devices
  settings-notifications settings-offers-empty settings-data settings-delete settings-availability
  organization member`.split(/\s+/),
)

const troubledStaff = new Set(
  `admin-users admin-logs admin-support admin-thread admin-cases admin-case admin-exchanges admin-exchange
  admin-marketplaces admin-member`.split(/\s+/),
)

/** The staff area. Its lists hold the morning that the demo leaves for its staff. */
export const staffPages: Screen[] = [
  { name: 'admin-users', as: 'ada', at: paths.adminUsers() },
  { name: 'admin-users-support', as: 'sam', at: paths.adminUsers() },
  { name: 'admin-users-none', as: 'sam', at: `${paths.adminUsers()}?search=no-such-person` },
  { name: 'admin-member', as: 'ada', at: firstOf('admin/users?search=anna', paths.adminUser) },
  { name: 'admin-logs', as: 'sam', at: paths.adminLogs() },
  { name: 'admin-support', as: 'sam', at: paths.adminSupport() },
  { name: 'admin-thread', as: 'sam', at: firstOf('admin/support', paths.adminThread) },
  { name: 'admin-cases', as: 'sam', at: paths.adminCases() },
  { name: 'admin-case', as: 'sam', at: firstOf('admin/moderation/cases', paths.adminCase) },
  { name: 'admin-flags', as: 'sam', at: paths.adminFlags() },
  { name: 'admin-exchanges', as: 'sam', at: paths.adminExchanges() },
  { name: 'admin-exchange', as: 'sam', at: firstOf('admin/exchanges', paths.adminExchange) },
  { name: 'admin-marketplaces', as: 'ada', at: paths.adminMarketplaces() },
  {
    name: 'admin-marketplace',
    as: 'ada',
    at: async (read) => paths.adminMarketplace((await read<Row[]>('admin/marketplaces'))[0]?.id ?? ''),
  },
  {
    name: 'admin-marketplace-edit',
    as: 'ada',
    at: async (read) => paths.adminEditMarketplace((await read<Row[]>('admin/marketplaces'))[0]?.id ?? ''),
  },
  { name: 'admin-marketplace-new', as: 'ada', at: paths.adminNewMarketplace() },
  { name: 'admin-health', as: 'sam', at: paths.adminHealth() },
  { name: 'admin-money', as: 'ada', at: paths.adminMoney() },
  { name: 'admin-money-support', as: 'sam', at: paths.adminMoney() },
]

function firstOf(list: string, address: (id: string) => string) {
  return async (read: Read) => address((await read<Rows>(list)).items[0]?.id ?? '')
}

/** Screens that load data, each while it waits and then after the request failed. */
export const troubles: Screen[] = [
  ...pages
    .filter(({ name }) => troubled.has(name))
    .flatMap((screen) => bothTroubles(screen.name, screen, 'page')),
  ...staffPages
    .filter(({ name }) => troubledStaff.has(name))
    .flatMap((screen) => bothTroubles(screen.name, screen, 'page')),
  ...bothTroubles('club', { name: 'club', as: 'anna', at: paths.dashboard() }, 'start'),
]

function bothTroubles(name: string, screen: Screen, from: 'start' | 'page') {
  const { as, at } = screen
  return (['silent', 'failing'] as const).map((server): Screen => ({
    ...(as ? { as } : {}),
    at,
    name: `${name}-${server}`,
    trouble: { server, from },
  }))
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

/** The server may close an idle connection at the moment of its next use. */
const again = { maxRetries: 3 }

const staffSessions = new Map<string, Promise<Session>>()

/** A login session of a member of the demo. Of the staff there is one, since each needs a new code. */
export function openSession(browser: Browser, origin: string, who: string): Promise<Session> {
  const email = `${who}@evenhand.example`
  if (email !== sam && email !== ada) return signIn(browser, origin, email)
  const key = `${origin} ${who}`
  const session = staffSessions.get(key) ?? signIn(browser, origin, email)
  staffSessions.set(key, session)
  return session
}

async function signIn(browser: Browser, origin: string, email: string): Promise<Session> {
  const context = await newContext(browser, { origin })
  const post = async (path: string, data: object) => {
    const answer = await context.request.post(`/api/auth/${path}`, { data, headers: { origin }, ...again })
    if (!answer.ok()) throw new Error(`${email} could not sign in: ${await answer.text()}`)
    return (await answer.json()) as { twoFactor?: boolean }
  }
  const { twoFactor } = await post('sign-in/email', { email, password: demoPassword })
  if (twoFactor) await post('two-factor/verify-totp', { code: await newCodeOf({ origin }, email) })
  const session = await context.storageState()
  await context.close()
  return session
}

/** Keeps offers of the simulator from covering a screen, but for the one that the screen brings itself. */
export async function keepOtherOffersOut(
  context: BrowserContext,
  { answers = {} }: Screen,
): Promise<AsyncDisposable> {
  return 'offers/current' in answers
    ? answerInPage(context, { '/api/presence': { ok: true } })
    : keepSimulatorOut(context)
}

/** Opens a screen in a page of a context that knows the origin, and waits until it is complete. */
export async function goTo(page: Page, screen: Screen): Promise<void> {
  page.setDefaultTimeout(60_000)
  const read: Read = async (path) => (await page.request.get(`/api/${path}`, again)).json()
  if (screen.trouble) await makeTrouble(page, screen.trouble)
  if (screen.leavesAfter) await page.addInitScript(withoutTimer(screen))
  for (const [path, answer] of Object.entries(screen.answers ?? {})) {
    await page.route(`**/api/${path}`, async (route) => {
      // All replaced answers are objects.
      const given = async () => (await route.fetch(again)).json() as Promise<object>
      await route.fulfill({ json: await answer(given, read) })
    })
  }
  await page.goto(typeof screen.at === 'string' ? screen.at : await screen.at(read))
  if (screen.trouble?.server === 'silent') await loadingMessages(page).first().waitFor({ state: 'attached' })
  else await untilComplete(page)
  if (screen.trouble?.server === 'failing')
    await page.getByRole('button', { name: 'Try again' }).first().waitFor()
  if (screen.open) {
    await screen.open(page)
    await untilComplete(page)
  }
}

/** Leaves a screen, also while it still waits for answers, so that its page can show another. */
export async function leave(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.evaluate('sessionStorage.clear()')
}

/** Waits until nothing is loading: no skeleton, no pending picture, no motion. */
async function untilComplete(page: Page): Promise<void> {
  // The outline of a page, which is shown before the code has loaded, has no heading.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await loadingMessages(page).first().waitFor({ state: 'detached' })
  await untilMotionless(page)
}

/** Waits until nothing moves and no picture is loading. Endless animations, as of skeletons, do not count. */
export async function untilMotionless(page: Page): Promise<void> {
  await page.waitForFunction(isMotionless)
}

function loadingMessages(page: Page) {
  return page.getByRole('status').filter({ hasText: /^(Loading|Completing|Looking up)/ })
}

async function makeTrouble(page: Page, { server, from }: NonNullable<Screen['trouble']>) {
  await page.route(/\/api\/(?!events)/, async (route) => {
    if (from === 'page' && route.request().url().endsWith('/api/me')) return route.fallback()
    // Held until the page is closed.
    if (server === 'silent') return
    await route.fulfill({
      status: 500,
      json: { defined: false, code: 'INTERNAL_SERVER_ERROR', status: 500, message: '' },
    })
  })
}

// A string, because it runs in the page. Pictures below the fold are loaded too.
const isMotionless = `(async () => {
  await document.fonts.ready
  // A change shows with the next frame, and its motion begins with the one after.
  for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)
  for (const image of document.images) image.loading = 'eager'
  const isMoving = document.getAnimations().some(
    ({ playState, effect }) => playState === 'running' && effect.getTiming().iterations !== Infinity,
  )
  return !isMoving && [...document.images].every((image) => image.complete)
})()`

/** Drops timers of exactly this duration at this address. A string, too. */
function withoutTimer({ at, leavesAfter }: Screen) {
  return `if (location.pathname === ${JSON.stringify(at)}) {
    const later = setTimeout
    window.setTimeout = (action, after, ...rest) =>
      after === ${leavesAfter} ? 0 : later(action, after, ...rest)
  }`
}

function asPublic(screens: Screen[]): Screen[] {
  return screens.map((screen) => ({ ...screen, isPublic: true }))
}

function toWrite(status: string) {
  return async (read: Read) => paths.review(await firstIn(read, 'reviews', status))
}

function received(status: string) {
  return async (read: Read) => paths.receivedReview(await firstIn(read, 'received-reviews', status))
}

async function receipt(read: Read) {
  const id = await firstIn(read, 'received-reviews', 'verified')
  const { receipt: key } = await read<{ receipt: string }>(`received-reviews/${id}`)
  return paths.receipt(key)
}

/** The switch stays on for the next picture. */
async function showLastCards(page: Page) {
  const shown = page.getByRole('switch').last()
  if (!(await shown.isChecked())) await shown.click()
  await page.getByRole('button', { name: 'Copy the HTML' }).first().waitFor()
}

async function firstIn(read: Read, list: string, status: string) {
  const { items } = await read<Rows>(list)
  const row = items.find((each) => each.status === status)
  if (!row) throw new Error(`The demo's cast has no ${status} among ${list}.`)
  return row.id
}

/** A review in a state that the seed does not have, made from one in another state. */
function reviewState(name: string, as: Who, status: string, change: object): Screen {
  const answers: Screen['answers'] = { 'reviews/*': async (given) => ({ ...(await given()), ...change }) }
  return { name, as, at: toWrite(status), answers }
}

function linkScreen(name: string, at: string, { sameBrowser }: { sameBrowser: boolean }): Screen {
  const link = { maskedEmail: '••••@evenhand.example', username: 'nora', sameBrowser }
  return { name, at: `${at}#token=a-link-from-the-mailbox`, answers: { 'verify-email/read': () => link } }
}

async function everySignInMethod(given: () => Promise<object>) {
  return {
    ...(await given()),
    provider: { id: 'google', name: 'Google', connectedAt: hoursFromNow(-900) },
    twoFactor: { enabled: true, required: false, recoveryCodesLeft: 8 },
    passkeys: [
      {
        id: '00000000-0000-7000-8000-000000000002',
        name: 'The laptop in the study',
        createdAt: hoursFromNow(-800),
        lastUsedAt: hoursFromNow(-30),
      },
    ],
  }
}

function archiveState(name: string, change: object): Screen {
  const archive = {
    id: '00000000-0000-7000-8000-000000000003',
    state: 'ready',
    requestedAt: hoursFromNow(-1),
    expiresAt: hoursFromNow(23),
    bytes: 1_234_567,
    ...change,
  }
  return { name, as: 'anna', at: paths.settings('data'), answers: { 'account/export': () => archive } }
}

async function openTwoFactor(page: Page) {
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('dialog', { name: 'Set up two-factor authentication' }).waitFor()
}

const newSecret = {
  uri:
    'otpauth://totp/Evenhand:anna%40evenhand.example' +
    '?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Evenhand',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
}
const recoveryCodes = Array.from({ length: 10 }, (_, at) => `k${at}f7q-x2m9${at}`)
const changeOfAddress = {
  side: 'old',
  maskedOld: '••••@evenhand.example',
  maskedNew: '••••••••@somewhere.example',
  otherConfirmed: false,
}

const offeredAt = hoursFromNow(-0.1)
const expiresAt = hoursFromNow(0.4)

/** An offer of a product that the member reviews, since the demo has an open offer only for a while. */
async function anOffer(_: unknown, read: Read): Promise<Offer> {
  const [{ items }, [marketplace]] = await Promise.all([
    read<Rows>('reviews'),
    read<{ name: string; disclosure: string }[]>('marketplaces'),
  ])
  const { product } = await read<Pick<ReviewWorkspace, 'product'>>(`reviews/${items[0]?.id}`)
  return {
    id: '00000000-0000-7000-8000-00000000000f',
    queueId: '00000000-0000-7000-8000-000000000001',
    productTitle: product.title,
    productDescription: product.description,
    productImage: product.image,
    imageFocus: product.imageFocus,
    couponCents: product.couponCents,
    category: product.category,
    format: 'pdf',
    priceCents: product.priceCents,
    couponPrices: [0, 50],
    marketplaceName: marketplace?.name ?? '',
    lane: 'public',
    disclosure: marketplace?.disclosure ?? '',
    consentNeeded: null,
    // It stays the same offer at every request.
    offeredAt,
    expiresAt,
    declinesToday: 1,
    freeDeclinesToday: 0,
    refusals: 0,
    setAside: true,
    quietUntil: null,
    newcomer: false,
    serverTime: hoursFromNow(0),
  }
}

/** The first product waits like this. */
function answersOf(wait: Wait) {
  return {
    products: withWaiting,
    [`requests/${waitingId}`]: () => ({ ...wait, productId: waitingId, createdAt: wait.requestedAt }),
    [`requests/${waitingId}/wait`]: () => wait,
  }
}

async function openWait(page: Page, text: string) {
  await page.getByRole('button', { name: 'Why am I waiting?' }).click()
  await page.getByText(text).waitFor()
}

/** The first product waits for a reviewer. */
function withWaiting(given: () => Promise<object>) {
  return withRequest('queued', given)
}

/** A member is asked for the first product. */
function withAsked(given: () => Promise<object>) {
  return withRequest('offered', given)
}

async function withRequest(status: string, given: () => Promise<object>) {
  const [first, ...others] = (await given()) as ProductCard[]
  const request = { id: waitingId, createdAt: aWait.requestedAt, completedReviewId: null, path: null }
  return [{ ...first, request: { ...request, status } }, ...others]
}

function cards(page: Page): Locator {
  return page.getByRole('main').getByRole('article')
}

/** The offer was closed before, so it opens when asked and never by itself. */
async function openOffer(page: Page) {
  await page.getByRole('button', { name: 'See the offer' }).click()
  await page.getByRole('dialog').waitFor()
}

async function openProductMenu(page: Page) {
  await cards(page)
    .first()
    .getByRole('button', { name: /^More about/ })
    .click()
  await page.getByRole('menu').waitFor()
}

async function openProductForm(page: Page) {
  await page.getByRole('button', { name: 'Add Product' }).click()
  await page.getByRole('dialog').waitFor()
}

function hoursFromNow(hours: number) {
  return new Date(Date.now() + hours * 3_600_000).toISOString()
}

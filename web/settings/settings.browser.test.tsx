import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { noticeKinds } from '#contract/notifications.ts'
import type { NoticePreference } from '#contract/notifications.ts'
import type { DataExport, ErasureFacts } from '#contract/privacy.ts'
import type { Profile } from '#contract/members.ts'
import type { Security } from '#contract/sign-in.ts'
import { api } from '#web/api.ts'
import { formatDateTime, noteReader } from '#web/kit/time.ts'
import { ada, answerBy, done, open, refusal, signedOut } from '#web/shell/testing.tsx'
import { endVisit } from '#web/sign-in/provider-visit.ts'

/** The state of the fake server, and the actions it received. */
let isFresh: boolean
let usernameChangeAt: string | null
let isErased: boolean
let isAdmin: boolean
let security: Security
let preferences: NoticePreference[]
let refusesPreferences: boolean
let emailChange: Profile['emailChange']
let archive: DataExport | null
let facts: ErasureFacts
let reader: { locale: string; timeZone: string | null }
let actions: { action: string; body: unknown }[]
/** The nonce of the latest visit to the provider, and the window opened for it. */
let nonce: string
let visitor: { location: { href: string } }

const identity = page.getByRole('dialog', { name: 'Confirm it’s you' })

beforeEach(() => {
  isFresh = true
  isErased = false
  isAdmin = false
  refusesPreferences = false
  reader = { locale: 'en-US', timeZone: null }
  emailChange = null
  archive = null
  facts = whatEnds
  actions = []
  security = {
    hasPassword: true,
    provider: { ...google, connectedAt: null },
    twoFactor: { enabled: false, required: false, recoveryCodesLeft: 0 },
    passkeys: [{ id: passkeyId, name: 'My Mac', createdAt: '2026-11-01T09:00:00Z', lastUsedAt: null }],
    freshUntil: null,
  }
  usernameChangeAt = '2099-11-01T09:00:00Z'
  preferences = (Object.keys(noticeKinds) as NoticePreference['kind'][]).map((kind) => ({
    kind,
    inApp: true,
    byEmail: true,
    byPush: false,
  }))
  answerBy(answer)
  vi.stubGlobal('open', () => {
    visitor = { location: { href: '' } }
    return { ...visitor, document: document.implementation.createHTMLDocument(), close() {} }
  })
  vi.stubGlobal('close', () => undefined)
})

afterEach(() => {
  vi.unstubAllGlobals()
  noteReader({ locale: 'en-US', timeZone: null })
})

test('an action that needs a confirmed identity asks for it, and then runs', async () => {
  isFresh = false
  await open('/settings/security')
  await page.getByRole('button', { name: 'Remove My Mac' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await identity.getByRole('textbox', { name: 'Password' }).fill('not mine')
  await identity.getByRole('button', { name: 'Confirm' }).click()
  await expect.element(identity.getByText('This isn’t your password.')).toBeVisible()
  expect(security.passkeys).toHaveLength(1)

  await identity.getByRole('textbox', { name: 'Password' }).fill('correct horse')
  await identity.getByRole('button', { name: 'Confirm' }).click()
  await expect.element(page.getByText('Passkey removed')).toBeVisible()
  await expect.element(identity).not.toBeInTheDocument()
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
  expect(actions.filter(({ action }) => action.startsWith('DELETE'))).toEqual([
    { action: `DELETE settings/passkeys/${passkeyId}`, body: null },
  ])
})

test('the dialog that confirms the identity focuses its field, so that typing goes there', async () => {
  isFresh = false
  security = { ...security, passkeys: [] }
  await open('/settings')
  const address = page.getByRole('textbox', { name: 'New email' })
  await address.fill('ada.new@mail.example')
  await userEvent.keyboard('{Enter}')
  await expect.element(identity.getByRole('textbox', { name: 'Password' })).toHaveFocus()
  await userEvent.keyboard('correct horse{Enter}')
  await expect.element(page.getByText('Changing to ada.new@mail.example')).toBeVisible()
  await expect.element(page.getByRole('group', { name: 'Your address' })).toHaveFocus()
})

test('closing the dialog without confirming says that nothing was changed', async () => {
  isFresh = false
  await open('/settings/security')
  await page.getByRole('button', { name: 'Remove My Mac' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect.element(identity.getByRole('textbox', { name: 'Password' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(identity).not.toBeInTheDocument()
  await expect.element(question.getByText(/nothing was changed/)).toBeVisible()
  expect(security.passkeys).toHaveLength(1)
})

test('with two-factor authentication on, confirming the identity takes a code too', async () => {
  isFresh = false
  security.twoFactor = { enabled: true, required: false, recoveryCodesLeft: 9 }
  await open('/settings/security')
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
  await identity.getByRole('textbox', { name: 'Password' }).fill('correct horse')
  await identity.getByRole('button', { name: 'Confirm' }).click()
  await expect.element(identity.getByText('Please enter the 6-digit code.')).toBeVisible()
  await identity.getByRole('textbox', { name: 'Code' }).fill('123456')
  await identity.getByRole('button', { name: 'Confirm' }).click()
  await expect.element(page.getByText('Two-factor authentication is off')).toBeVisible()
  expect(actions).toContainEqual({
    action: 'POST settings/confirm-identity',
    body: { password: 'correct horse', code: '123456' },
  })
})

test('the provider is connected when the server says so, whatever its window reported', async () => {
  await open('/settings/security')
  const connect = page.getByRole('button', { name: 'Connect Google' })
  await connect.click()
  await expect.element(page.getByRole('button', { name: 'Connecting…' })).toBeVisible()
  await comeBack(null)
  await expect.element(page.getByText('Google was not connected.')).toBeVisible()
  await connect.click()
  await expect.element(page.getByText('Google was not connected.')).not.toBeInTheDocument()
  security = { ...security, provider: { ...google, connectedAt: '2026-11-21T09:00:00Z' } }
  await comeBack(null)
  await expect.element(page.getByText('Google connected')).toBeVisible()
  await expect.element(page.getByText('Connected since Nov 21, 2026')).toBeVisible()
})

test('a visit to the provider that confirms nothing can be repeated', async () => {
  isFresh = false
  security = { ...security, hasPassword: false, provider: { ...google, connectedAt: '2026-11-21T09:00:00Z' } }
  await open('/settings/security')
  await page.getByRole('button', { name: 'Remove My Mac' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  const proof = identity.getByRole('button', { name: 'Continue with Google' })
  await proof.click()
  await expect.element(identity.getByRole('button', { name: 'Connecting…' })).toBeVisible()
  await comeBack('access_denied')
  await expect.element(identity.getByText('Google sign-in was canceled.')).toBeVisible()
  await expect.element(proof).not.toHaveAttribute('aria-disabled')
})

test('recovery codes stay visible until the member says they are saved', async () => {
  const { queryClient } = await open('/settings/security')
  await page.getByRole('button', { name: 'Set up' }).click()
  const window = page.getByRole('dialog', { name: /two-factor|recovery codes/ })
  await expect.element(window.getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible()
  await window.getByRole('textbox', { name: 'Code' }).fill('123 456')
  await window.getByRole('button', { name: 'Continue' }).click()
  await expect.element(window.getByRole('listitem').first()).toHaveTextContent('code-1')
  expect(window.getByRole('listitem').elements()).toHaveLength(10)
  expect(actions).toContainEqual({ action: 'POST settings/two-factor/finish', body: { code: '123456' } })

  // The codes stay when the live stream reports that two-factor authentication is on.
  await queryClient.invalidateQueries({ queryKey: api.signIn.getSecurity.key() })
  await expect.element(page.getByText('On', { exact: true })).toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expect.element(window.getByRole('button', { name: 'Done' })).toHaveAttribute('aria-disabled', 'true')
  expect(window.getByRole('button', { name: 'Close' }).elements()).toHaveLength(0)
  await window.getByRole('checkbox', { name: 'I have saved them somewhere safe' }).click()
  await window.getByRole('button', { name: 'Done' }).click()
  await expect.element(window).not.toBeInTheDocument()
  await expect.element(page.getByText('Two-factor authentication is on')).toBeVisible()
})

test('recovery codes stay visible to new staff too, whose area opens meanwhile', async () => {
  isAdmin = true
  const { queryClient } = await open('/admin/users')
  const heading = page.getByRole('heading', { name: 'Set up two-factor authentication' })
  await page.getByRole('button', { name: 'Set up' }).click()
  const window = page.getByRole('dialog', { name: /two-factor|recovery codes/ })
  await window.getByRole('textbox', { name: 'Code' }).fill('123 456')
  await window.getByRole('button', { name: 'Continue' }).click()
  await expect.element(window.getByRole('listitem').first()).toHaveTextContent('code-1')
  // As when the person comes back to the tab.
  await queryClient.invalidateQueries({ queryKey: api.members.getMe.key() })
  await window.getByRole('checkbox', { name: 'I have saved them somewhere safe' }).click()
  await window.getByRole('button', { name: 'Done' }).click()
  await expect.element(window).not.toBeInTheDocument()
  await expect.element(heading).not.toBeInTheDocument()
})

test('the printed codes show the account, the server’s date and a box for each code', async () => {
  const paper = document.implementation.createHTMLDocument()
  const sheet = { document: paper, print: vi.fn<() => void>(), close() {} }
  vi.stubGlobal('open', () => sheet)
  await open('/settings/security')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('textbox', { name: 'Code' }).fill('123456')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Print' }).click()
  const [title, made, what, codes] = [...paper.body.children].map(({ textContent }) => textContent)
  expect(title).toBe(`Evenhand recovery codes for ${ada.email}`)
  // The day of `ada.serverTime`; this device's clock says another one.
  expect(made).toMatch(/^Created on Nov 21, 2026\. /)
  expect(what).toMatch(/^You can use each code once/)
  expect(codes?.split('\n')).toEqual(Array.from({ length: 10 }, (_, at) => `☐  code-${at + 1}`))
  expect(sheet.print).toHaveBeenCalledOnce()
})

test('staff cannot switch two-factor authentication off, and see why', async () => {
  security.twoFactor = { enabled: true, required: true, recoveryCodesLeft: 9 }
  await open('/settings/security')
  const off = page.getByRole('button', { name: 'Switch off' })
  await expect.element(off).toHaveAttribute('aria-disabled', 'true')
  await expect
    .element(off)
    .toHaveAccessibleDescription('Staff accounts must keep two-factor authentication on.')
})

test('a notification switch changes at once, and changes back when the server does not save it', async () => {
  await open('/settings/notifications')
  const offers = page.getByRole('switch', { name: 'Offers by email' })
  await offers.click()
  await expect.element(offers).not.toBeChecked()
  await expect.poll(() => preferences[0]).toMatchObject({ kind: 'offers', inApp: true, byEmail: false })

  refusesPreferences = true
  const writing = page.getByRole('switch', { name: 'Reviews you write in the app' })
  await writing.click()
  await expect.element(page.getByText('Your choice was not saved')).toBeVisible()
  await expect.element(writing).toBeChecked()
  await expect.element(offers).not.toBeChecked()
})

test('the example follows the chosen language and time zone; saving applies them everywhere', async () => {
  await open('/settings/language')
  const zone = page.getByRole('combobox', { name: 'Time zone' })

  await zone.fill('sydney')
  await expect.element(zone).toHaveAttribute('aria-activedescendant')
  await userEvent.keyboard('{Enter}')
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'English (India)' }).click()
  await expect.element(page.getByText(/12,34,567.8/)).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Language and time saved')).toBeVisible()
  expect(reader).toEqual({ locale: 'en-IN', timeZone: 'Australia/Sydney' })
  expect(formatDateTime('2026-11-21T09:00:00Z')).toBe('21 Nov 2026 at 8:00 pm')
})

test('their own username is no change, and says so', async () => {
  usernameChangeAt = null
  await open('/settings')
  const form = page.getByRole('form', { name: 'Change username' })
  await form.getByRole('textbox', { name: 'New username' }).fill('ada')
  await expect.element(form.getByText('That’s your username already.').first()).toBeVisible()
  await expect.element(form.getByText('Looks great!')).not.toBeInTheDocument()
  await expect.element(form.getByRole('button', { name: 'Change username' })).toBeDisabled()
})

test('a username that cannot be changed yet shows when it can be', async () => {
  await open('/settings')
  await expect.element(page.getByRole('button', { name: 'Change username' })).toHaveAttribute('aria-disabled')
  await expect.element(page.getByText(/^You can change it again on/).first()).toBeVisible()
  await expect.element(page.getByText(/@ada-before is reserved for you until/)).toBeVisible()
})

test('a double click requests one archive', async () => {
  await open('/settings/data')
  await page.getByRole('button', { name: 'Request my archive' }).dblClick()
  await expect.element(page.getByText(/^We’re preparing your archive\. We’ll email you/)).toBeVisible()
  expect(actions).toEqual([{ action: 'POST account/export', body: null }])
})

test('a member without exchanges sees no figures before deleting the account', async () => {
  facts = { ...facts, reviewsBeingWritten: 1, reviewsGiven: 0, reviewsReceived: 0, balance: 0 }
  await open('/settings/delete')
  await expect.element(page.getByText('You haven’t given or received any.')).toBeVisible()
  await expect.element(page.getByText(/^Your balance is even, so you lose nothing\./)).toBeVisible()
  await expect
    .element(page.getByText(/^1 review ends .* The seller’s request keeps its place\.$/))
    .toBeVisible()
})

test('a member reads which missed reviews and sanctions would count again', async () => {
  facts = { ...facts, strikes: 2, sanctions: 1 }
  await open('/settings/delete')
  await expect
    .element(page.getByText(/each counts as missed if you join again within 90 days\./))
    .toBeVisible()
  await expect
    .element(page.getByText(/^2 missed reviews and 1 sanction stay with keyed hashes/))
    .toBeVisible()
})

test.each([
  [0, /^1 final review was returned to you, and counts as missed if you join again within 90 days\.$/],
  [2, /^2 reviews end .* 1 final review was returned .* With 3 missed reviews, .* keep their place\.$/],
])(
  'a member reads that a returned final review counts, beside %i unfinished ones',
  async (unfinished, text) => {
    facts = { ...facts, reviewsBeingWritten: unfinished, reviewsUnanswered: 1 }
    await open('/settings/delete')
    await expect.element(page.getByText(text)).toBeVisible()
  },
)

test('a member reads what debt and suspension stay, and that a review not final pays nothing', async () => {
  facts = { ...facts, balance: -1, reviewsWaiting: 2, reviewsUnchecked: 1, suspended: true }
  await open('/settings/delete')
  await expect.element(page.getByText(/you start with a balance of −1\./)).toBeVisible()
  await expect.element(page.getByText(/counts only if you wait until it’s final/)).toBeVisible()
  await expect.element(page.getByText(/Members who wrote one for you keep the credit/)).toBeVisible()
  await expect.element(page.getByText(/If you join again with one of them before it ends/)).toBeVisible()
})

test('an account is deleted only after its username was typed exactly', async () => {
  const { router } = await open('/settings/delete')
  await expect.element(page.getByText(/^2 reviews end without being submitted/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Type ada to confirm' }).fill('Ada')
  const deletes = page.getByRole('button', { name: 'Delete my account' })
  await expect.element(deletes).toHaveAttribute('aria-disabled')
  await page.getByRole('checkbox', { name: 'I have read what happens when I delete my account' }).click()
  await deletes.click()
  await expect.element(page.getByText('Type your username exactly to confirm.')).toBeVisible()
  expect(actions).toEqual([])
  await page.getByRole('textbox', { name: 'Type ada to confirm' }).fill('ada')
  await deletes.click()
  await expect.element(page.getByText('Your account has been deleted')).toBeVisible()
  await expect.poll(() => router.state.location.href).toBe('/signin')
  expect(actions).toEqual([{ action: 'POST account/erasure', body: { username: 'ada' } }])
})

test('a picture of the wrong type or size is refused before the upload', async () => {
  await open('/settings')
  const input = page.getByLabelText('Picture', { exact: true })
  await userEvent.upload(input, new File(['GIF89a'], 'me.gif', { type: 'image/gif' }))
  await expect.element(page.getByText('Please choose a JPG or PNG picture.')).toBeVisible()
  await userEvent.upload(input, new File([new Uint8Array(2 * 1024 * 1024)], 'me.png', { type: 'image/png' }))
  await expect.element(page.getByText('Please choose a picture under 2 MB.')).toBeVisible()
  await userEvent.upload(input, new File(['not a picture'], 'me.png', { type: 'image/png' }))
  await expect
    .element(page.getByText('This picture could not be read. Please choose another one.'))
    .toBeVisible()
  expect(actions).toEqual([])
})

/** Ends the visit to the provider, once its window has arrived there. */
async function comeBack(error: string | null) {
  await expect.poll(() => visitor.location.href).toBe('https://provider.example/authorize')
  await endVisit(nonce, error)
}

async function answer(call: string, request: Request): Promise<unknown> {
  const read = reads(call)
  if (read !== undefined) return read
  const text = await request.text()
  const body: unknown = text.startsWith('{') ? JSON.parse(text) : null
  if (needsProof(call) && !isFresh) return refusal('NOT_FRESH', 403, 'Please confirm that it is you.')
  switch (call) {
    case 'POST settings/confirm-identity':
      actions.push({ action: call, body })
      if (!text.includes('correct horse')) {
        return refusal('WRONG_PASSWORD', 400, 'This is not your current password.', { field: 'password' })
      }
      isFresh = true
      return done
    case 'POST settings/email':
      emailChange = {
        email: 'ada.new@mail.example',
        oldConfirmed: false,
        newConfirmed: false,
        expiresAt: '2099-11-01T09:00:00Z',
      }
      return done
    case 'POST account/export':
      actions.push({ action: call, body })
      archive = {
        id: archiveId,
        state: 'preparing',
        requestedAt: '2026-11-21T09:00:00Z',
        expiresAt: null,
        bytes: null,
      }
      return archive
    case `DELETE settings/passkeys/${passkeyId}`:
      actions.push({ action: call, body })
      security = { ...security, passkeys: [] }
      return done
    case 'POST auth/link-social':
    case 'POST auth/sign-in/social':
      // What the screen sends of a visit that has a window.
      nonce = (body as { nonce: string }).nonce
      return { url: 'https://provider.example/authorize' }
    case 'POST settings/two-factor/start':
      return {
        uri: 'otpauth://totp/Evenhand:ada?secret=JBSWY3DPEHPK3PXP',
        secret: 'JBSWY3DPEHPK3PXP',
      }
    case 'POST settings/two-factor/finish':
      actions.push({ action: call, body })
      security = { ...security, twoFactor: { enabled: true, required: false, recoveryCodesLeft: 10 } }
      return { recoveryCodes: Array.from({ length: 10 }, (_, at) => `code-${at + 1}`) }
    case 'POST settings/two-factor/stop':
      return done
    case 'PATCH notifications/preferences': {
      if (refusesPreferences) return refusal('UNAVAILABLE', 503, 'This is not available right now.')
      // What the screen sends for one kind.
      const preference = body as NoticePreference
      preferences = preferences.map((each) => (each.kind === preference.kind ? preference : each))
      return done
    }
    case 'PATCH settings/preferences':
      // What the screen sends of both.
      reader = body as typeof reader
      return done
    case 'POST account/erasure':
      actions.push({ action: call, body })
      isErased = true
      return done
    default:
      return undefined
  }
}

function needsProof(call: string): boolean {
  return !call.startsWith('GET') && /passkeys|two-factor|erasure|settings\/email$/.test(call)
}

function reads(call: string): unknown {
  switch (call) {
    case 'GET me':
      return isErased
        ? signedOut()
        : { ...ada, ...reader, ...(isAdmin && { role: 'admin', twoFactor: security.twoFactor.enabled }) }
    case 'GET settings/security':
      return security
    case 'GET notifications/preferences':
      return preferences
    case 'GET username-exists':
      return { exists: false }
    case 'GET settings/profile':
      return { ...profile, usernameChangeAt, emailChange }
    case 'GET account/export':
      return archive
    case 'GET account/erasure':
      return facts
    case 'GET sign-in-options':
      return { provider: null, needsCode: false }
    default:
      return undefined
  }
}

const google = { id: 'google', name: 'Google' }

const passkeyId = '0192f0c0-0000-7000-8000-000000000009'

const profile = {
  avatar: null,
  locale: 'en-US',
  timeZone: null,
  reservedUsernames: [{ username: 'ada-before', until: '2099-12-01T09:00:00Z' }],
}

const archiveId = '0192f0c0-0000-7000-8000-000000000010'

const whatEnds: ErasureFacts = {
  username: 'ada',
  confirmWith: 'ada',
  openOffers: 0,
  reviewsBeingWritten: 2,
  reviewsUnanswered: 0,
  openRequests: 0,
  reviewsOfMineBeingWritten: 0,
  reviewsWaiting: 0,
  reviewsUnchecked: 0,
  suspended: false,
  paymentDisputed: false,
  strikes: 0,
  sanctions: 0,
  products: 1,
  reviewsGiven: 3,
  reviewsReceived: 2,
  balance: 1,
  membershipActive: true,
  membershipPaidUntil: null,
  subscribed: false,
  refundCents: null,
}

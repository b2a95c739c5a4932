import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { LogRow } from '#contract/staff/logs.ts'
import type { UserRow } from '#contract/staff/users.ts'
import { ada, answerBy, done, open, refusal } from '#web/shell/testing.tsx'

/** The state of the fake server, and what it was asked. */
let users: UserRow[]
let logs: LogRow[]
let role: 'admin' | 'support'
let isFailing: boolean
let searchedTo: string | null
let searches: string[]
let changes: unknown[]
let refusesChange: boolean
let saved: { name: string; text: Promise<string> }[]

const id = (n: number) => `0192f0c0-0000-7000-8000-${String(n).padStart(12, '0')}`

const member = (n: number, email: string, other: Partial<UserRow> = {}): UserRow => ({
  id: id(n),
  email,
  fullName: null,
  role: 'user',
  membership: 'active',
  suspended: false,
  createdAt: '2026-11-01T09:00:00Z',
  ...other,
})

beforeEach(() => {
  users = [
    member(2, 'ben@mail.example', { fullName: 'Ben Adeyinka', membership: 'past_due' }),
    member(3, 'clara@mail.example', { membership: 'none' }),
    member(1, 'ada@mail.example', { role: 'admin' }),
  ]
  logs = [
    {
      id: id(11),
      member: { id: id(2), email: 'ben@mail.example' },
      action: 'user_logged_in',
      metadata: { method: 'password' },
      createdAt: '2026-11-21T09:30:00Z',
    },
    { id: id(12), member: null, action: 'sign_in_failed', metadata: {}, createdAt: '2026-11-21T09:20:00Z' },
  ]
  role = 'admin'
  isFailing = false
  refusesChange = false
  searchedTo = null
  searches = []
  changes = []
  saved = []
  answerBy(answer)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.download) saved.push({ name: this.download, text: fetched(this.href) })
  })
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.set('blob:made', blob as Blob)
    return 'blob:made'
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const blobs = new Map<string, Blob>()
const fetched = (href: string) => blobs.get(href)?.text() ?? Promise.resolve('')

async function answer(call: string, request: Request): Promise<unknown> {
  const { searchParams } = new URL(request.url)
  if (call === 'GET me') return { ...ada, role, twoFactor: true }
  if (call.startsWith('GET admin/') && isFailing) return refusal('CONFLICT', 409, 'Broken.')
  if (call === 'GET admin/users') {
    searches.push(searchParams.toString())
    const search = searchParams.get('search') ?? ''
    return withCounts(
      users.filter(({ email }) => email.includes(search)),
      users.length,
    )
  }
  if (call === 'GET admin/logs') {
    searches.push(searchParams.toString())
    const action = searchParams.get('action')
    const items = logs.filter((row) => action === null || row.action === action)
    return { ...withCounts(items, 1_000_000, 'about'), next: searchedTo && 'next', searchedTo }
  }
  if (call === 'GET admin/log-actions') return ['sign_in_failed', 'user_logged_in']
  if (call.startsWith('POST admin/users/')) {
    if (refusesChange) return refusal('ONLY_ADMIN', 409, 'This is the only admin.')
    changes.push(await request.json())
    return done
  }
  if (call === 'GET admin/users.csv') {
    return new Response('\uFEFF"Email"\r\n"ben@mail.example"\r\n', {
      headers: { 'content-disposition': 'attachment; filename="users-2026-11-22.csv"' },
    })
  }
  return undefined
}

function withCounts(items: unknown[], total: number, is: 'exact' | 'about' = 'exact') {
  return {
    items,
    next: null,
    counts: { matching: { count: items.length, is: 'exact' }, total: { count: total, is } },
  }
}

describe('/admin/users', () => {
  test('lists the members, says how many, and searches after a pause, in the address too', async () => {
    const { router } = await open('/admin/users')
    await expect.element(page.getByText('Showing 3 of 3 users')).toBeVisible()
    await expect
      .element(page.getByRole('row', { name: /ben@mail\.example Ben Adeyinka.*Payment failed.*Nov 1, 2026/ }))
      .toBeVisible()
    await expect
      .element(page.getByRole('row', { name: /clara@mail\.example N\/A.*No membership/ }))
      .toBeVisible()
    await page.getByPlaceholder('Search by email, name, or role...').fill('clara')
    await expect.element(page.getByText('Showing 1 of 3 users')).toBeVisible()
    expect(router.state.location.search).toEqual({ search: 'clara' })
    await page.getByRole('button', { name: 'Email' }).click()
    await vi.waitFor(() => expect(searches.at(-1)).toBe('search=clara&sort=email&direction=asc'))
  })

  test('says so when it cannot be loaded, and when nothing matches', async () => {
    isFailing = true
    await open('/admin/users')
    await expect.element(page.getByRole('heading', { name: 'Failed to load users' })).toBeVisible()
    isFailing = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('Showing 3 of 3 users')).toBeVisible()
    await page.getByPlaceholder('Search by email, name, or role...').fill('no such')
    await expect.element(page.getByText('No users found')).toBeVisible()
  })

  test('by keyboard: j and k move, Enter opens the member, / searches', async () => {
    const { router } = await open('/admin/users')
    await expect.element(page.getByText('Showing 3 of 3 users')).toBeVisible()
    await userEvent.keyboard('jjk/')
    const search = page.getByRole('searchbox', { name: 'Search users' })
    await expect.element(search).toHaveFocus()
    await userEvent.keyboard('j')
    await expect.element(search).toHaveValue('j')
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByText('Showing 3 of 3 users')).toBeVisible()
    ;(document.activeElement as HTMLElement).blur()
    await userEvent.keyboard('j')
    await expect.element(page.getByRole('row', { name: /clara/ })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await vi.waitFor(() => expect(router.state.location.pathname).toBe(`/admin/users/${id(3)}`))
  })

  test('a role is changed with a reason, and one’s own cannot be', async () => {
    await open('/admin/users')
    await expect.element(page.getByText('Admin (you)')).toBeVisible()
    await page.getByRole('combobox', { name: 'Role of ben@mail.example' }).click()
    await page.getByRole('option', { name: 'Support' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change the role to Support?' })
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await expect.element(dialog.getByText('Please say why.')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Joins the team')
    refusesChange = true
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await expect.element(dialog.getByText('Failed to update role')).toBeVisible()
    refusesChange = false
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await expect.element(page.getByText('User role updated')).toBeVisible()
    expect(changes).toEqual([{ from: 'user', role: 'support', reason: 'Joins the team' }])
  })

  test('is exported to CSV by admins, with the search; support reads why they can’t', async () => {
    const { router } = await open('/admin/users?search=ben')
    await page.getByRole('button', { name: 'Export CSV (1)' }).click()
    await expect.element(page.getByText('Users exported to CSV')).toBeVisible()
    expect(saved.map(({ name }) => name)).toEqual(['users-2026-11-22.csv'])
    expect(await saved[0]?.text).toContain('ben@mail.example')
    expect(router.state.location.search).toEqual({ search: 'ben' })
    await expect.element(page.getByText(/starts with an apostrophe/)).toBeVisible()
  })

  test('shows support roles as text, and no export', async () => {
    role = 'support'
    await open('/admin/users')
    const button = page.getByRole('button', { name: /^Export CSV/ })
    await expect.element(button).toHaveAccessibleDescription('Only admins can export data.')
    expect(page.getByRole('combobox').elements()).toEqual([])
  })
})

describe('/admin/logs', () => {
  test('lists what happened, by whom, and narrows it to an action', async () => {
    const { router } = await open('/admin/logs')
    await expect.element(page.getByText('Showing 2 of about 1,000,000 logs')).toBeVisible()
    await expect
      .element(page.getByRole('row', { name: /ben@mail\.example user logged in \{"method":"password"\}/ }))
      .toBeVisible()
    await expect.element(page.getByRole('row', { name: /Unknown sign in failed/ })).toBeVisible()
    await page.getByRole('combobox', { name: 'Action' }).click()
    await expect.element(page.getByRole('option', { name: 'All Actions' })).toBeVisible()
    await page.getByRole('option', { name: 'sign in failed' }).click()
    await expect.element(page.getByText('Showing 1 of about 1,000,000 logs')).toBeVisible()
    expect(router.state.location.search).toEqual({ action: 'sign_in_failed' })
  })

  test('says how far a search has come', async () => {
    searchedTo = '2026-11-20T08:00:00Z'
    logs = []
    await open('/admin/logs?search=zq')
    await expect.element(page.getByText('Nothing found so far')).toBeVisible()
    await expect.element(page.getByText(/Searched back to Nov 20, 2026/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Load more' })).toBeVisible()
  })

  test('says so when it cannot be loaded', async () => {
    isFailing = true
    await open('/admin/logs')
    await expect.element(page.getByRole('heading', { name: 'Failed to load activity logs' })).toBeVisible()
  })
})

test('who is suspended has a badge in the list of users', async () => {
  users = [member(2, 'ben@mail.example', { suspended: true }), member(3, 'clara@mail.example')]
  await open('/admin/users')
  const rowOf = (email: string) => page.getByRole('row').filter({ hasText: email })
  await expect.element(rowOf('ben@mail.example').getByText('Suspended')).toBeVisible()
  expect(rowOf('clara@mail.example').getByText('Suspended').elements()).toEqual([])
})

import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import type { MessageRow, Thread } from '#contract/staff/support-desk.ts'
import { dropDraft } from '#web/kit/ui/kept-draft.ts'
import { ada, answerBy, open, refusal } from '#web/shell/testing.tsx'
import { keptName } from './kept-answer.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  for (const of of ['answer', 'note', 'version'] as const) dropDraft(keptName(threadId, of))
})

const me = { ...ada, role: 'support' as const, twoFactor: true }
const sam = { id: me.id, name: 'ada' }
const other = { id: '0192f0c0-0000-7000-8000-0000000000bb', name: 'bea' }
const threadId = '0192f0c0-0000-7000-8000-0000000000c1'

const row: MessageRow = {
  id: threadId,
  name: 'Mara Lund',
  email: 'mara@shop.example',
  subject: 'Two of us',
  excerpt: 'May we share an account?',
  status: 'open',
  assignedTo: null,
  version: 1,
  createdAt: '2026-11-20T09:00:00Z',
}
const second = { ...row, id: threadId.replace(/1$/, '2'), subject: 'Another question', version: 4 }

const thread: Thread = {
  ...row,
  reference: 'ABCD1234',
  category: 'other',
  message: 'May we share an account?',
  via: 'contact',
  resolvedAt: null,
  entries: [],
  writer: null,
  earlier: [],
  colleagues: [sam, other],
  answersTo: 'mara@shop.example',
  bounced: false,
}

const exactly = (count: number) => ({ count, is: 'exact' })

type Sent = { call: string; body: unknown }

/** A server with these messages. Returns what it was sent. */
function serve({
  rows = [row, second],
  shown = (): unknown => thread,
  onWrite = (): unknown => ({ version: 2 }),
} = {}) {
  const sent: Sent[] = []
  const asked: string[] = []
  answerBy(async (call, request) => {
    if (call === 'GET me') return me
    if (call === 'GET admin/support') {
      asked.push(new URL(request.url).search)
      return { items: rows, next: null, matching: exactly(rows.length), total: exactly(7) }
    }
    if (call === 'GET admin/saved-replies')
      return [
        {
          id: other.id,
          title: 'One each',
          body: 'Hello {name}, one account each.',
          changedAt: row.createdAt,
        },
      ]
    if (call.startsWith('GET admin/support/')) return shown()
    if (!call.startsWith('GET')) {
      sent.push({ call, body: await request.json() })
      return onWrite()
    }
    return undefined
  })
  return { sent, asked }
}

describe('the list of messages', () => {
  test('has the columns and the count, and is read with the filters of the address', async () => {
    const { asked } = serve()
    await page.viewport(1280, 800)
    await open('/admin/support?status=open&search=share')
    await expect.element(page.getByText('Showing 2 of 7 messages')).toBeVisible()
    for (const name of ['From', 'Subject', 'Message', 'Status', 'Date'])
      await expect.element(page.getByRole('columnheader', { name, exact: true })).toBeVisible()
    expect(asked[0]).toContain('status=open')
    expect(asked[0]).toContain('search=share')
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'All Status' }).click()
    await vi.waitFor(() => expect(asked.at(-1)).not.toContain('status'))
    await page.getByRole('button', { name: 'Date' }).click()
    await vi.waitFor(() => expect(asked.at(-1)).toContain('order=oldest'))
  })

  test('is worked through by keyboard: j moves, e resolves, Enter opens', async () => {
    const { sent } = serve()
    await open('/admin/support')
    await expect.element(page.getByText('Showing 2 of 7 messages')).toBeVisible()
    await userEvent.keyboard('jj')
    await userEvent.keyboard('e')
    await expect.element(page.getByText('Message marked as resolved')).toBeVisible()
    expect(sent).toEqual([
      { call: `POST admin/support/${second.id}/resolve`, body: { version: second.version } },
    ])
    await userEvent.keyboard('k')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('heading', { level: 1, name: 'Two of us' })).toBeVisible()
  })

  test('shows why a message could not be resolved', async () => {
    serve({ onWrite: () => refusal('THREAD_CHANGED', 409, 'Someone changed this thread in the meantime.') })
    await open('/admin/support')
    await page.getByRole('button', { name: 'Resolve: Two of us' }).click()
    await expect.element(page.getByText('Failed to update message')).toBeVisible()
  })

  test('says that nothing matches, and that it could not be loaded', async () => {
    serve({ rows: [] })
    await open('/admin/support?search=none')
    await expect.element(page.getByText('No messages match')).toBeVisible()
  })

  test('that fails to load says so and offers to try again', async () => {
    answerBy((call) =>
      call === 'GET me' ? me : call === 'GET admin/support' ? refusal('FORBIDDEN', 403, 'No.') : undefined,
    )
    await open('/admin/support')
    await expect.element(page.getByText('Failed to load support messages')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  })
})

describe('a thread', () => {
  const address = `/admin/support/${threadId}`

  test('is answered by keyboard, for the version that was read', async () => {
    const { sent } = serve()
    await open(address)
    await expect.element(page.getByText('Goes by email to mara@shop.example.')).toBeVisible()
    await userEvent.keyboard('r')
    await userEvent.keyboard('One each.')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.element(page.getByText('Answer sent')).toBeVisible()
    expect(sent).toEqual([
      {
        call: `POST ${address.slice(1)}/answers`,
        body: { version: 1, body: 'One each.', resolve: false },
      },
    ])
    await expect.element(page.getByLabelText('Your answer')).toHaveValue('')
  })

  test('keeps an answer that was not sent while its writer looks elsewhere', async () => {
    serve()
    await open(address)
    await page.getByLabelText('Your answer').fill('No. One each')
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Support' }).click()
    await expect.element(page.getByText('Showing 2 of 7 messages')).toBeVisible()
    await page.getByRole('link', { name: 'Two of us' }).click()
    await expect.element(page.getByLabelText('Your answer')).toHaveValue('No. One each')
  })

  test('that changed while an answer was kept says so before it is sent', async () => {
    let shown = thread
    const { sent } = serve({ shown: () => shown })
    await open(address)
    await page.getByLabelText('Your answer').fill('No. One each')
    await cleanup()
    shown = { ...thread, version: 2, assignedTo: other }
    await open(address)
    await expect.element(page.getByText('Something changed since you began to write')).toBeVisible()
    await expect.element(page.getByLabelText('Your answer')).toHaveValue('No. One each')
    await page.getByRole('button', { name: 'I’ve read it' }).click()
    await page.getByRole('button', { name: 'Send answer' }).click()
    await vi.waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ version: 2, body: 'No. One each' }))
  })

  test('that a reader assigned and answered at once is sent after the change, for its version', async () => {
    const assigned = Promise.withResolvers<unknown>()
    let shown = thread
    const { sent } = serve({
      onWrite: () => (sent.length === 1 ? assigned.promise : { version: 3 }),
      shown: () => shown,
    })
    await open(address)
    await expect.element(page.getByText('Goes by email to mara@shop.example.')).toBeVisible()
    await userEvent.keyboard('a')
    await userEvent.keyboard('r')
    await userEvent.keyboard('One each.')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.element(page.getByRole('button', { name: 'Sending...' })).toBeVisible()
    shown = { ...thread, version: 2, assignedTo: sam }
    assigned.resolve({ version: 2 })
    await expect.element(page.getByText('Answer sent')).toBeVisible()
    expect(sent[1]?.body).toEqual({ version: 2, body: 'One each.', resolve: false })
  })

  test('that the reader answered can be resolved before it has been loaded again', async () => {
    const reloaded = Promise.withResolvers<unknown>()
    let answered = false
    const { sent } = serve({
      onWrite: () => {
        answered = true
        return { version: sent.length + 1 }
      },
      shown: () => (answered ? reloaded.promise : thread),
    })
    await open(address)
    await page.getByLabelText('Your answer').fill('One each.')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await expect.element(page.getByText('Answer sent')).toBeVisible()
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    reloaded.resolve({ ...thread, version: 2 })
    await expect.element(page.getByText('Message marked as resolved')).toBeVisible()
    expect(sent[1]).toEqual({ call: `POST ${address.slice(1)}/resolve`, body: { version: 2 } })
  })

  test('that a colleague answered first keeps the text and shows what is new before it is sent', async () => {
    let shown = thread
    const { sent } = serve({
      onWrite() {
        shown = {
          ...thread,
          version: 2,
          entries: [
            {
              id: other.id,
              kind: 'answer',
              author: 'bea',
              mine: false,
              body: 'No, one each.',
              createdAt: row.createdAt,
              delivery: 'sent',
            },
          ],
        }
        return refusal('THREAD_CHANGED', 409, 'Someone changed this thread in the meantime.')
      },
      shown: () => shown,
    })
    await open(address)
    await page.getByLabelText('Your answer').fill('Yes.')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await expect.element(page.getByText('bea answered. Your text is still here.')).toBeVisible()
    await expect.element(page.getByLabelText('Your answer')).toHaveValue('Yes.')
    await page.getByRole('button', { name: 'I’ve read it' }).click()
    await page.getByRole('button', { name: 'Send answer' }).click()
    await vi.waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ version: 2, body: 'Yes.' }))
  })

  test('takes a saved reply with the writer’s name, and e, a and ? have their keys', async () => {
    // Resolving is answered when both key presses have come.
    const pressed = Promise.withResolvers<void>()
    const { sent } = serve({
      onWrite: async () => {
        if (sent.length > 1) await pressed.promise
        return { version: 2 }
      },
    })
    await open(address)
    await page.getByRole('button', { name: 'Saved replies' }).click()
    await page.getByRole('button', { name: 'Insert: One each' }).click()
    await expect.element(page.getByLabelText('Your answer')).toHaveValue('Hello Mara Lund, one account each.')
    await page.getByLabelText('Your answer').click()
    await userEvent.keyboard('{Escape}a')
    await expect.element(page.getByText('Assigned to you')).toBeVisible()
    expect(sent.at(-1)).toEqual({
      call: `POST ${address.slice(1)}/assignee`,
      body: { version: 1, to: me.id },
    })
    await userEvent.keyboard('ee')
    pressed.resolve()
    await vi.waitFor(() => expect(sent.at(-1)?.call).toBe(`POST ${address.slice(1)}/resolve`))
    await userEvent.keyboard('?')
    await expect.element(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    expect(sent).toHaveLength(2)
  })

  test('says that it is assigned to a colleague, and that mail to the writer bounces', async () => {
    serve({ shown: () => ({ ...thread, assignedTo: other, bounced: true }) })
    await open(address)
    await expect.element(page.getByText('Assigned to bea')).toBeVisible()
    await expect.element(page.getByText(/bounced earlier, so it won’t arrive/)).toBeVisible()
  })

  test('of the reader is for another member of staff', async () => {
    answerBy((call) => {
      if (call === 'GET me') return me
      return call.startsWith('GET admin/support/')
        ? refusal('OWN_MATTER', 403, 'This is about you. Another member of staff has to do it.')
        : undefined
    })
    await open(address)
    await expect.element(page.getByRole('heading', { name: 'This is your own message' })).toBeVisible()
  })
})

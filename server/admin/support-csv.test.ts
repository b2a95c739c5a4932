import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { sendContactMessage } from '#server/support/contact.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import { readCsv } from './testing.ts'

const club = useFreshClub()
const edge = useEdge(club)

beforeAll(async () => {
  await sql`update members set two_factor_enabled = true where role <> 'user'`.execute(club.system.db)
})

test('messages as CSV have the columns of the list’s filter, and no cell that a program runs', async () => {
  const letter = { name: '=1+1', email: 'mara@shop.example', subject: '@SUM(A1)', message: '-1,\n"two"' }
  await sendContactMessage(club.system, letter)
  await sendContactMessage(club.system, { ...letter, email: 'nils@shop.example' })
  await sql`update support_messages set status = 'resolved', resolved_at = created_at
    where email = 'nils@shop.example'`.execute(club.system.db)
  const ada = await edge.signIn('ada')
  const answer = await ada.get('/api/admin/support.csv?status=open')
  expect(answer.headers['content-disposition']).toMatch(/filename="support-\d{4}-\d\d-\d\d\.csv"/)
  const [header, row, ...others] = readCsv(answer.text)
  expect(header).toEqual(['Name', 'Email', 'Subject', 'Message', 'Status', 'Created At', 'Resolved At'])
  expect(row).toEqual([
    "'=1+1",
    'mara@shop.example',
    "'@SUM(A1)",
    '\'-1,\n"two"',
    'open',
    expect.stringMatching(/^\d{4}-/),
    'N/A',
  ])
  expect(others).toEqual([])
  expect((await (await edge.signIn('sam')).get('/api/admin/support.csv')).json).toMatchObject({
    code: 'FORBIDDEN',
  })
})

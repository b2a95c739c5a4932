// With only the address of the club and a receipt, anyone downloads the script and checks a draw.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { publishDays } from '#server/matching/audit/public-list.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { addProductOf, askForReview, present, publishAsIfOver } from '#server/matching/testing.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'

const club = useFreshClub()
const edge = useEdge(club)

test.each(['verify-draw.mjs', 'verify-ledger.mjs'])('%s is the file of the repository', async (name) => {
  const visitor = edge.visitor()
  const answer = await visitor.get(`/fairness/${name}`)
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
    },
  })
  expect(answer.text).toBe(readFileSync(`scripts/${name}`, 'utf8'))
  const again = await visitor.get(`/fairness/${name}`, { 'if-none-match': String(answer.headers['etag']) })
  expect(again).toMatchObject({ status: 304, text: '' })
})

test.each(['2026-02-30', '2026-13-01', '0000-01-01', '2020-01-01'])(
  'there is no file for %s, a day that never was or had no draws',
  async (day) => {
    expect((await edge.visitor().get(`/fairness/draws/${day}.json`)).status).toBe(404)
  },
)

test('the downloaded script checks a draw over HTTP, and finds a change of the receipt', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenhand-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await publishDays(club.system)
  const seller = await club.newMember('sadie')
  const members = [seller]
  for (const name of ['rita', 'rolf', 'ruth']) members.push(await club.newMember(name))
  const { id } = await askForReview(seller, await addProductOf(seller, 'drawn'))
  await present(...members)
  await matchRequests(club.system)
  await publishAsIfOver(club.system)

  const visitor = edge.visitor()
  const script = join(folder, 'verify-draw.mjs')
  writeFileSync(script, (await visitor.get('/fairness/verify-draw.mjs')).text)
  const browser = await edge.signIn('sadie')
  const { text } = await browser.get(`/api/draws/${id}/receipt.json`)
  const receipt = JSON.parse(text) as { ticket: { day: string }; nonce: string }
  const origin = `http://127.0.0.1:${edge.port}`
  const run = (given: object, options: string[]) => {
    const file = join(folder, 'receipt.json')
    writeFileSync(file, JSON.stringify(given))
    return endOf([script, file, ...options])
  }
  const files = ['--days', `${origin}/fairness/draws.json`]
  const all = [...files, '--day', `${origin}/fairness/draws/${receipt.ticket.day}.json`]
  const { code, output } = await run(receipt, all)
  expect(output).not.toMatch(/[✗–]/)
  expect(output).toContain('The published secret of the day matches')
  expect(output).toContain('Every step holds. Nothing was found wrong.')
  expect(code).toBe(0)
  expect((await run({ ...receipt, nonce: '00'.repeat(16) }, all)).code).toBe(1)

  const elsewhere = await run({ ...receipt, club: 'https://other.example' }, all)
  expect(elsewhere).toMatchObject({ code: 1 })
  expect(elsewhere.output).toContain('✗ The receipt is of https://other.example, and another file of ')

  // The receipt of the first day takes the secret from the list.
  const early = { ...receipt, daySecret: null }
  expect(await run(early, all)).toEqual({ code: 0, output })
  expect(await run({ ...early, nonce: '00'.repeat(16) }, all)).toMatchObject({ code: 1 })
  const withoutDay = await run(receipt, files)
  expect(withoutDay).toMatchObject({ code: 3 })
  expect(withoutDay.output).toMatch(/Nothing was found wrong so far. Open: 1 of \d+ steps.\n$/)
  // The file of another day, however true, says nothing about this draw.
  const otherDay = join(folder, 'other-day.json')
  const none = { format: 'evenhand-draw-day/1', day: '2020-01-01', records: [], passes: [] }
  writeFileSync(otherDay, JSON.stringify({ ...receipt, ...none }))
  const beside = await run(receipt, [...files, '--day', otherDay])
  expect(beside).toMatchObject({ code: 3 })
  expect(beside.output).toContain(`--day ${receipt.ticket.day}.json`)
  expect(await run(receipt, [...all, '--day', otherDay])).toMatchObject({ code: 3 })
  expect(await run(receipt, [...all, '--me', '00112233aabbccdd,4'])).toMatchObject({ code: 2 })
  expect((await run(early, [])).output).toContain('The day’s secret is published from')
  expect(await run(receipt, ['-days', 'draws.json'])).toMatchObject({ code: 2 })
  expect((await endOf([script, '--help'])).output).toContain('<club>/fairness/draws.json')
  const [list = '', listAt = '', , dayAt = ''] = all
  const swapped = await run(receipt, [list, dayAt, '--day', listAt])
  expect(swapped).toMatchObject({ code: 1 })
  expect(swapped.output).toContain('One of a single day goes after --day.')
})

/** Runs a program of its own. It must not block this process, which answers its requests. */
function endOf(args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    )
  })
}

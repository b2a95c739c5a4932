import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { findBreaches } from '#db/invariants.ts'
import { ledgerCsv } from '#server/admin/ledger-csv.ts'
import { csvStart } from '#server/kit/csv.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { listSigningKeys } from '#server/site/signing-keys.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { submitted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { listLedgerSeals, sealLedger } from './seals.ts'
import { makeStatement } from './statement.ts'

const club = useClub()
const folder = mkdtempSync(join(tmpdir(), 'evenhand-ledger-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function exchange(seller: string, reviewer: string) {
  await verifyReview(club.system, await submitted(club, seller, reviewer), 'seller')
  await sql`set constraints all immediate`.execute(club.system.db)
}

async function chainFile() {
  const reader = await club.as('finn')
  const { read } = ledgerCsv.open({})
  return csvStart + ledgerCsv.header + (await read(reader, undefined)).lines.join('')
}

/** What the script says about these files. */
function check(files: Record<string, unknown>): string {
  const names = Object.entries(files).map(([name, content]) => {
    const path = join(folder, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  })
  try {
    return execFileSync(process.execPath, ['scripts/verify-ledger.mjs', ...names], { encoding: 'utf8' })
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return `failed with ${status}\n${stdout}`
  }
}

async function files() {
  return {
    statement: await makeStatement(await club.as('dario')),
    seals: await listLedgerSeals(club.system, {}),
    keys: await listSigningKeys(club.system),
    chain: await chainFile(),
  }
}

test('the script finds nothing wrong in a sealed ledger, whatever the number of seals', async () => {
  await exchange('dario', 'ben')
  await exchange('clara', 'dario')
  await sealLedger(club.system)
  await exchange('dario', 'elif')
  // A full seal does not wait for the next day.
  await sealLedger(club.system, { most: 2 })
  await sealLedger(club.system)
  const { statement, seals, keys, chain } = await files()
  expect(seals.seals.map(({ number }) => number)).toEqual([1, 2])
  expect(check({ 'a.json': statement, 'b.json': seals, 'c.json': keys, 'd.csv': chain })).toBe(
    'Seals: 2 checked, all right\nStatement: 3 checked, all right\nChain: 6 checked, all right\n',
  )
})

test('what the script could not check is not called right', async () => {
  await exchange('dario', 'ben')
  await sealLedger(club.system)
  const { statement, seals, keys } = await files()
  const end = (given: Record<string, unknown>) => check(given).split('\n').slice(0, 3).join(' ')
  expect(end({ 'a.json': statement, 'b.json': seals })).toMatch(
    /^failed with 3 .*Statement: 1 checked, nothing wrong so far$/,
  )
  expect(end({ 'a.json': statement, 'c.json': keys })).toMatch(/^failed with 3 Statement: 1 .*so far/)
})

test('the script says when entries of a chain wait for their seal: their end may be missing', async () => {
  await exchange('dario', 'ben')
  await sealLedger(club.system)
  await exchange('clara', 'dario')
  const { seals, chain } = await files()
  const shortened = chain.trimEnd().split('\r\n').slice(0, -2).join('\r\n')
  expect(check({ 'b.json': seals, 'd.csv': chain })).toMatch(/^failed with 3\n[^]*2 of 4 entries wait/)
  expect(check({ 'b.json': seals, 'd.csv': shortened })).not.toContain('wait')
})

test('the script checks where a link leads to it', () => {
  const link = join(folder, 'link.mjs')
  symlinkSync(resolve('scripts/verify-ledger.mjs'), link)
  const { status, stdout } = spawnSync(process.execPath, [link], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([1, expect.stringContaining('Give the files to check')])
})

test('the script names a file that it cannot use', () => {
  const table = join(folder, 'table.csv')
  writeFileSync(table, 'Day,Reason\n')
  const { status, stdout } = spawnSync(process.execPath, ['scripts/verify-ledger.mjs', table], {
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([1, expect.stringContaining('table.csv is no signed statement')])
})

test('the script calls a statement without its signature wrong, and says what to give', async () => {
  await exchange('dario', 'ben')
  await sealLedger(club.system)
  const { statement, seals, keys } = await files()
  const { signature: _, ...unsigned } = JSON.parse(statement) as { signature: string }
  const found = check({ 'a.json': unsigned, 'b.json': seals, 'c.json': keys })
  expect(found).toMatch(/^failed with 1\n/)
  expect(found).toContain('The signature does not match.')
  const { status, stdout } = spawnSync(process.execPath, ['scripts/verify-ledger.mjs', '--help'], {
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, expect.stringContaining('Give the files to check')])
})

test('the script finds every changed, missing or added entry, and a seal that was replaced', async () => {
  await exchange('dario', 'ben')
  await exchange('clara', 'dario')
  await sealLedger(club.system)
  const { statement, seals, keys, chain } = await files()
  const lines = chain.trimEnd().split('\r\n')
  const without = (at: number) => [...lines.slice(0, at), ...lines.slice(at + 1)].join('\r\n')
  const changedSeal = {
    ...seals,
    seals: seals.seals.map((seal) => ({
      ...seal,
      root: seal.root.replace(/^./, (c) => (c === '0' ? '1' : '0')),
    })),
  }
  for (const text of [
    chain.replace('"gave"', '"settled"'),
    chain.replace('"1"', '"2"'),
    chain.replace(/"(\d{4})-/, '"2020-'),
    without(2),
    without(4),
    `${chain}${lines[1]}\r\n`,
  ]) {
    expect(text).not.toBe(chain)
    expect(check({ 'seals.json': seals, 'chain.csv': text })).toMatch(/^failed/)
  }
  expect(check({ 'seals.json': changedSeal, 'chain.csv': chain })).toContain('Seal 1 was changed')
  for (const text of [
    statement.replace('"delta":1', '"delta":2'),
    statement.replace('"reason":"gave"', '"reason":"settled"'),
    statement.replace('"details":"', '"details":"00'),
    statement.replace('"place":', '"place":1'),
  ]) {
    expect(text).not.toBe(statement)
    expect(check({ 's.json': text, 'seals.json': seals, 'keys.json': keys })).toMatch(/^failed/)
  }
})

test('the database refuses to change or delete an entry, a link or a seal', async () => {
  await exchange('dario', 'ben')
  await sealLedger(club.system)
  for (const table of ['ledger_entries', 'ledger_chain', 'ledger_seals']) {
    for (const change of [
      sql`delete from ${sql.table(table)}`,
      sql`update ${sql.table(table)} set ${sql.ref(
        table === 'ledger_seals' ? 'entries' : table === 'ledger_chain' ? 'seq' : 'delta',
      )} = 7`,
    ]) {
      await expect(inTransaction(club.system, (ctx) => change.execute(ctx.db))).rejects.toThrow(/is a record/)
    }
  }
})

test('an entry changed behind the trigger, or left out of the chain, breaks an invariant', async () => {
  await exchange('dario', 'ben')
  await sealLedger(club.system)
  const brokenBy = async (change: (ctx: Ctx) => Promise<unknown>) => {
    const undone = new Error('undone')
    let broken: string[] = []
    await inTransaction(club.system, async (ctx) => {
      await sql`alter table ledger_entries disable trigger user`.execute(ctx.db)
      await sql`alter table ledger_chain disable trigger user`.execute(ctx.db)
      await change(ctx)
      broken = (await findBreaches(ctx.db)).map(({ invariant }) => invariant.slice(0, 4))
      throw undone
    }).catch((error: unknown) => {
      if (error !== undone) throw error
    })
    return broken
  }
  expect(
    await brokenBy((ctx) => sql`update ledger_entries set at = at - interval '1 second'`.execute(ctx.db)),
  ).toEqual(['I19g'])
  expect(
    await brokenBy((ctx) =>
      sql`delete from ledger_chain where seq = (select min(seq) from ledger_chain)`.execute(ctx.db),
    ),
  ).toEqual(['I19g'])
  expect(await brokenBy((ctx) => sql`update ledger_chain set owner = sha256(owner)`.execute(ctx.db))).toEqual(
    ['I19g'],
  )
})

test('the chain holds after a member is erased, and no longer says which entries were theirs', async () => {
  await exchange('dario', 'ben')
  await exchange('anna', 'ben')
  await sealLedger(club.system)
  const before = await files()
  await eraseMember(club.system, await club.idOf('anna'))
  await sealLedger(club.system, { most: 2 })
  const { seals, chain } = await files()
  expect(check({ 'seals.json': seals, 'chain.csv': chain })).toMatch(/^Seals: 2 checked, all right\nChain/)
  expect(check({ 'a.json': before.statement, 'seals.json': seals, 'k.json': before.keys })).not.toMatch(
    /^failed/,
  )
  expect(
    (await sql`select ledger_key(id) as key from members where erased_at is not null`.execute(club.system.db))
      .rows,
  ).toEqual([{ key: null }])
})

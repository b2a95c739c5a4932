import { describe, expect, test } from 'vitest'
import { quicknet } from '#contract/beacon.ts'
import type { DrawReceipt } from '#contract/draw-receipt.ts'
import { makePassReport } from './make-pass-report.ts'
import { makeReport } from './make-report.ts'
import { readReceipt } from './read-files.ts'
import type { OwnTurn, Report } from './report.ts'
import { beaconTamperings, honestDraw, tamperings, unrevealed } from './testing.ts'
import type { DrawFiles } from './testing.ts'

/** An hour after the day of the draw. */
const soon = Date.parse('2026-11-21T01:00:00Z')
const check = ({ receipt, days, day }: DrawFiles, now = soon) =>
  makeReport({ receipt, days, dayFiles: [day], kept: null, own: null, now })
const stepsOf = ({ ticket, draws }: Report) => [...ticket, ...draws.flatMap(({ steps }) => steps)]
const week = { from: '2026-11-19T00:00:00Z', until: '2026-11-26T00:00:00Z' }

describe('the check of a receipt', () => {
  test('holds in every step of an honest draw, and shows who came before with the reason', () => {
    const report = check(honestDraw())
    expect(stepsOf(report).filter(({ state }) => state !== 'holds')).toEqual([])
    expect(report.verdict).toMatchObject({ state: 'holds', title: 'Every step holds' })
    const { lottery } = report.draws[0]!
    expect(lottery?.places.slice(0, 3).map(({ outcome, text }) => [outcome, text])).toEqual([
      ['passed', 'It is their own product'],
      ['passed', 'Met the seller not long ago'],
      ['winner', 'Got the offer'],
    ])
    const shown = JSON.stringify(stepsOf(report).map(({ text }) => text))
    expect(shown).toContain('0.3175')
    expect(shown).not.toMatch(/undefined|NaN|null/)
  })

  test.each(tamperings)('finds %s at the step %s, and checks none after it', (_, step, change) => {
    const files = structuredClone(honestDraw())
    change(files)
    const report = check(files)
    const steps = stepsOf(report)
    const at = steps.findIndex(({ state }) => state === 'fails')
    expect(steps[at]?.name).toBe(step)
    expect(steps.slice(0, at).map(({ state }) => state)).not.toContain('unchecked')
    expect(new Set(steps.slice(at + 1).map(({ state }) => state))).toEqual(
      new Set(at + 1 < steps.length ? ['unchecked'] : []),
    )
    expect(report.verdict).toMatchObject({ state: 'fails', text: steps[at]?.text })
    expect(report.draws[0]?.lottery).toBeNull()
  })

  test('says that a list was deleted only once it may be: after half a year', () => {
    const files = honestDraw()
    files.receipt.draws[0]!.pass.list = null
    const half = 180 * 24 * 3_600_000
    expect(check(files, soon + half).verdict.state).toBe('later')
    expect(check(files, soon + half - 3 * 24 * 3_600_000).verdict.state).toBe('fails')
  })

  test('waits for the secret of the day for a night, and then says that it is withheld', () => {
    const files = unrevealed(honestDraw())
    expect(check(files).verdict).toMatchObject({ state: 'later', title: 'Nothing wrong so far' })
    const day = 24 * 3_600_000
    expect(check(files, soon + day).verdict.state).toBe('later')
    const { verdict, ticket } = check(files, soon + 2 * day)
    expect(verdict).toMatchObject({
      state: 'fails',
      title: 'This step failed: “The day’s secret is published”',
      text: expect.stringContaining('Without it no one can check this draw.'),
    })
    expect(ticket.find(({ name }) => name === 'list_secret')?.state).toBe('fails')
    // Without the public list nothing can be said about it.
    const { receipt } = files
    const given = { receipt, days: null, dayFiles: [], kept: null, own: null, now: soon + 2 * day }
    expect(makeReport(given).verdict.state).toBe('later')
  })

  test.each(['value', 'none'] as const)('holds in every step with a beacon: %s', (beacon) => {
    const report = check(honestDraw({ beacon }))
    expect(stepsOf(report).filter(({ state }) => state !== 'holds')).toEqual([])
    const [round, value] = stepsOf(report).filter(({ name }) => name.startsWith('beacon_'))
    expect(round?.text).toContain('isn’t the public one of the League of Entropy')
    expect(value?.text).toMatch(beacon === 'value' ? /signed this round/ : /^No beacon: /)
    expect(value?.values.map(({ name }) => name)).not.toContain('Compare with')
    expect(stepsOf(check(honestDraw())).map(({ name }) => name)).not.toContain('beacon_round')
  })

  test('knows a round of the League of Entropy, and links to it', () => {
    const { receipt } = unrevealed(honestDraw())
    const from = '2023-08-23T15:59:18.000Z'
    const beacon = {
      chain: quicknet,
      from,
      round: 1000,
      signature:
        'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
      randomness: 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
    }
    const ticket = { ...receipt.ticket, day: '2023-08-23' }
    const of2023 = { ...receipt, ticket, askedAt: from, beacon, draws: [] }
    const report = makeReport({ receipt: of2023, days: null, dayFiles: [], kept: null, own: null })
    const [round, value] = stepsOf(report).filter(({ name }) => name.startsWith('beacon_'))
    expect([round?.state, value?.state]).toEqual(['holds', 'holds'])
    expect(round?.text).toContain('the public one of the League of Entropy')
    expect(value?.text).toContain('couldn’t make or choose it')
    expect(value?.values.at(-1)?.href).toBe(
      'https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/1000',
    )
  })

  test.each(beaconTamperings)('finds %s of a beacon at the step %s', (_, step, change) => {
    const files = structuredClone(honestDraw({ beacon: 'value' }))
    change(files)
    const fails = stepsOf(check(files)).filter(({ state }) => state === 'fails')
    expect(fails.map(({ name }) => name)).toEqual([step])
  })

  test('says before the night what is known already, and when the rest is', () => {
    const report = check(unrevealed(honestDraw()))
    expect(report.verdict).toMatchObject({ state: 'later', title: 'Nothing wrong so far' })
    expect(report.verdict.text).toMatch(/published from Nov 21, 2026/)
    const states = Object.fromEntries(stepsOf(report).map(({ name, state }) => [name, state]))
    expect(states).toMatchObject({ list_commitment: 'holds', chain: 'holds', winner: 'holds', draw: 'holds' })
    expect(states).toMatchObject({ list_secret: 'later', key: 'later', slate: 'later', passes: 'later' })
  })

  test('says which slate the record states, and leaves it open when it is not the club’s rule', () => {
    const shown = (files: DrawFiles) => stepsOf(check(files)).find(({ name }) => name === 'slate_rule')
    expect(shown(honestDraw())?.text).toBe(
      'The run states that a request was open to 10% of the club at first, doubling every 30 minutes. ' +
        'That’s the club’s rule.',
    )
    const other = honestDraw({ stated: { start: 0.25, doublingMs: 20 * 60_000 } })
    expect(stepsOf(check(other)).filter(({ state }) => state !== 'holds')).toMatchObject([
      { name: 'slate_rule' },
    ])
    expect(check(other).verdict.state).toBe('later')
    expect(shown(other)?.text).toContain('was open to 25% of the club at first, doubling every 20 minutes')
    expect(shown(other)?.text).toContain('another one when this receipt was made: 10% of the club at first')
  })

  test('holds for the record of an older pass, which states no slate', () => {
    const report = check(honestDraw({ stated: null }))
    expect(stepsOf(report).filter(({ state }) => state !== 'holds')).toEqual([])
    expect(stepsOf(report).map(({ name }) => name)).not.toContain('slate_rule')
  })

  test('takes the secret of an older receipt from the public list', () => {
    const files = honestDraw()
    expect(check({ ...files, receipt: unrevealed(files).receipt }).verdict.state).toBe('holds')
  })

  test('compares what this browser kept, and finds my number', () => {
    const { receipt, days, day } = honestDraw()
    const { ticket, nonce } = receipt
    const kept = {
      ticket: ticket.number,
      commitment: ticket.commitment,
      nonce,
      day: ticket.day,
      dayHash: ticket.dayHash,
    }
    const own = { number: receipt.draws[0]!.winner, ...week }
    const report = makeReport({ receipt, days, dayFiles: [day], kept, own })
    expect(report.verdict.state).toBe('holds')
    expect(stepsOf(report).find(({ name }) => name === 'own')?.text).toMatch(/at place \d+ of 40/)
    const other = makeReport({
      receipt,
      days,
      dayFiles: [day],
      kept: { ...kept, nonce: '00'.repeat(16) },
      own,
    })
    expect(other.verdict.title).toBe('This step failed: “What this browser kept”')
  })

  test('of a reviewer says whether the number that got the offer is theirs: no hash covers its side', () => {
    const { receipt, days, day } = honestDraw()
    const list = receipt.draws[0]!.pass.list!
    const ofReviewer = {
      receipt: { ...receipt, side: 'reviewer' as const },
      days,
      dayFiles: [day],
      kept: null,
    }
    const shown = (number: string) => {
      const report = makeReport({ ...ofReviewer, own: { number, ...week } })
      const find = (name: string) => stepsOf(report).find((step) => step.name === name)
      return [report.verdict.state, find('winner')?.title, find('own')?.state]
    }
    const { winner } = receipt.draws[0]!
    expect(shown(winner)).toEqual(['holds', 'The offer was yours', 'holds'])
    const other = list
      .match(/.{18}/g)
      ?.find((place) => !place.startsWith(winner))
      ?.slice(0, 16)
    for (const number of [other ?? '', '00'.repeat(8)])
      expect(shown(number)).toEqual(['later', 'Who got the offer', 'later'])
  })

  test('doesn’t say to a reviewer which place is the seller’s own', () => {
    const { receipt, days, day } = honestDraw()
    const report = makeReport({
      receipt: { ...receipt, side: 'reviewer' },
      days,
      dayFiles: [day],
      kept: null,
      own: null,
    })
    const texts = report.draws[0]?.lottery?.places.map(({ text }) => text)
    expect(texts).toContain('Couldn’t review this product')
    expect(texts?.join()).not.toContain('own product')
  })

  test('of a request without a draw says so', () => {
    const files = honestDraw()
    const report = check({ ...files, receipt: { ...files.receipt, draws: [] } })
    expect(report.verdict).toMatchObject({ state: 'later', title: 'Nothing wrong so far' })
  })
})

describe('what is no receipt', () => {
  const receipt: DrawReceipt = honestDraw().receipt
  test.each([
    ['', 'Nothing to check'],
    ['hello', 'This isn’t a receipt'],
    ['[1, 2]', 'This isn’t a receipt of a draw'],
    [JSON.stringify(honestDraw().days), 'This is the public list of days'],
    ['{"statement":{}}', 'This is a statement of your ledger'],
    ['{"format":"evenhand-draw-pass/1"}', 'This is the list of one draw'],
    ['{"format":"evenhand-draw-receipt/2"}', 'This receipt has another version'],
    [JSON.stringify({ ...receipt, nonce: 'short' }), 'This receipt is damaged'],
    ['x'.repeat(12_000_001), 'This is too large'],
  ])('%#: is explained', (text, title) => {
    expect(readReceipt(text)).toMatchObject({ problem: { title } })
  })
})

describe('whether a draw left me out', () => {
  const { receipt, days, day } = honestDraw()
  const { pass } = receipt.draws[0]!
  const turnAt = '2026-11-20T08:00:00Z'
  const own: OwnTurn = { number: pass.list!.slice(0, 16), band: 1, turnAt, why: null, ...week }
  const look = (mine: Partial<OwnTurn>, changed = {}) =>
    makePassReport({ pass: { ...pass, ...changed }, days, dayFile: day, own: { ...own, ...mine } })

  test('is answered with my place, the cut-off, or that I was', () => {
    expect(look({}).verdict).toEqual({
      state: 'holds',
      title: 'You were in the list',
      text:
        'Your number is in the list, at place 1 of 40. You took part in this draw. The list doesn’t say ' +
        'why another place was drawn.',
    })
    const number = 'ff'.repeat(8)
    expect(look({ number, band: 4 }).verdict).toMatchObject({ title: 'You weren’t left out' })
    const missing = look({ number })
    expect(missing.verdict).toMatchObject({ state: 'later', title: 'You weren’t in the list' })
    expect(missing.verdict.text).toContain('please write to us')
    expect(missing.steps.at(-1)).toMatchObject({ name: 'me', state: 'later' })
    const explained = look({ number, why: 'had_offer' })
    expect(explained.verdict).toMatchObject({ state: 'holds', title: 'You weren’t left out' })
    expect(explained.verdict.text).toContain('You had an open offer then')
  })

  test('is not answered from a record that was changed, or of another week', () => {
    expect(look({}, { candidates: 41 }).verdict).toMatchObject({ state: 'fails' })
    expect(look({ from: '2026-11-26T00:00:00Z', until: '2026-12-03T00:00:00Z' }).verdict.state).toBe('later')
  })
})

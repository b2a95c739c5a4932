// Status, fairness and contact as they are sent: plain HTML, whole before any script runs.
import { createElement } from 'react'
import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { PageGiven } from '#contract/pages.ts'
import { statusParts, statusRules } from '#contract/site.ts'
import type {
  ListedMarketplace,
  PublicStatistics,
  PartState,
  Status,
  StatusDay,
  StatusPart,
} from '#contract/site.ts'
import { ContactPage } from './contact-page.tsx'
import { FairnessPage } from './fairness/fairness-page.tsx'
import { formatHours, share } from './fairness/labels.ts'
import { StatusPage } from './status/status-page.tsx'
import { pages } from './pages.tsx'
import { RulesPage } from './rules/rules-page.tsx'
import { lasted, overall, uptime } from './status/labels.ts'

const given: PageGiven = { origin: 'https://club.example', demo: false, signedIn: false }

function draw(Page: ComponentType<PageGiven>, facts: Partial<PageGiven> = {}) {
  return renderToStaticMarkup(createElement(Page, { ...given, ...facts }))
}

/** What a reader sees, tags left out. */
const words = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

const parts = Object.keys(statusParts) as StatusPart[]

function statusOf(states: Partial<Record<StatusPart, PartState>>, day: Partial<StatusDay> = {}): Status {
  const days = Array.from({ length: statusRules.days }, (_, at): StatusDay => ({
    day: new Date(Date.UTC(2026, 7, 24 + at)).toISOString().slice(0, 10),
    state: 'operational',
    checks: 1440,
    failed: 0,
    ...(at === 80 ? day : {}),
  }))
  return {
    readAt: '2026-11-21T05:30:12Z',
    reachable: true,
    parts: parts.map((part) => ({
      part,
      state: states[part] ?? 'operational',
      checkedAt: '2026-11-21T05:29:00Z',
      checks: days.reduce((sum, { checks }) => sum + checks, 0),
      failed: days.reduce((sum, { failed }) => sum + failed, 0),
      days,
    })),
    incidents: [],
  }
}

describe('the status page', () => {
  test('says in one sentence how the club is, in the number that the parts have', () => {
    const title = (states: Partial<Record<StatusPart, PartState>>) => overall(statusOf(states)).title
    expect(title({})).toBe('Everything works')
    expect(title({ mail: 'degraded' })).toBe('Email has trouble')
    expect(title({ files: 'degraded' })).toBe('Files have trouble')
    expect(title({ mail: 'down', files: 'degraded' })).toBe('Email is down')
    expect(title({ jobs: 'down' })).toBe('Background jobs are down')
    expect(title({ website: 'down', database: 'down', mail: 'down' })).toBe(
      'Website, Database and Email are down',
    )
    expect(title({ mail: 'unknown' })).toBe('What was measured works')
    expect(title(Object.fromEntries(parts.map((part) => [part, 'unknown'])))).toBe(
      'Nothing was measured lately',
    )
    expect(overall({ ...statusOf({}), reachable: false }).title).toBe('The club is out of reach')
  })

  test('shows every part with its state in words, ninety bars, and the same days in a table', () => {
    const html = draw(StatusPage, { status: statusOf({ live: 'down' }, { state: 'down', failed: 30 }) })
    for (const name of Object.values(statusParts)) expect(words(html)).toContain(name)
    expect(words(html)).toMatch(/Live updates What changes on open pages Down 05:29 UTC/)
    expect(html.match(/title="[^"]*: /g)).toHaveLength(parts.length * statusRules.days)
    expect(html).toContain('title="Nov 12: 97.91% (30 of 1,440 checks failed)"')
    expect(html.match(/<tr>/g)).toHaveLength(statusRules.days + 1)
    expect(words(html)).toContain('90 days measured, checks failed on Nov 12')
    expect(html).not.toMatch(/<script|onclick|javascript:/)
  })

  test('claims nothing of what was not measured', () => {
    const status = statusOf(Object.fromEntries(parts.map((part) => [part, 'unknown'])))
    for (const part of status.parts) {
      part.days = part.days.map(({ day }) => ({ day, state: 'unknown', checks: 0, failed: 0 }))
      Object.assign(part, { checks: 0, failed: 0, checkedAt: null })
    }
    const text = words(draw(StatusPage, { status }))
    expect(text).not.toMatch(/100%|None in the last/)
    expect(text).toContain('Nothing was measured yet.')
  })

  test('says of no more days than were measured that nothing failed', () => {
    const status = statusOf({})
    expect(words(draw(StatusPage, { status }))).toContain('None in the last 90 days.')
    for (const part of status.parts)
      part.days = part.days.map((day, at) => (at < 80 ? { ...day, state: 'unknown', checks: 0 } : day))
    expect(words(draw(StatusPage, { status }))).toContain('None since Nov 12, when measuring began.')
  })

  test('tells incidents with their length, and of one that goes on that it does', () => {
    const incidents: Status['incidents'] = [
      { parts: ['mail'], startedAt: '2026-11-21T05:11:00Z', endedAt: null },
      { parts: ['website', 'database'], startedAt: '2026-11-02T22:50:00Z', endedAt: '2026-11-02T23:55:00Z' },
    ]
    const text = words(draw(StatusPage, { status: { ...statusOf({ mail: 'down' }), incidents } }))
    expect(text).toContain('Nov 21, 05:11 UTC Email is down goes on')
    expect(text).toContain('Nov 2, 22:50 UTC Website and Database were down for 1 h 5 min')
  })

  test('is a page even when nothing could be read', () => {
    expect(words(draw(StatusPage))).toContain('The answers cannot be read')
  })

  test('never rounds a failed check away', () => {
    expect(uptime({ checks: 1_000_000, failed: 1 })).toBe('99.99%')
    expect(uptime({ checks: 3, failed: 3 })).toBe('0.00%')
    expect(uptime({ checks: 1440, failed: 0 })).toBe('100%')
    expect(uptime({ checks: 0, failed: 0 })).toBeNull()
  })

  test.each([
    ['2026-11-21T05:00:00Z', '2026-11-21T05:03:00Z', '3 min'],
    ['2026-11-21T05:00:00Z', '2026-11-21T07:00:00Z', '2 h'],
    ['2026-11-19T05:00:00Z', '2026-11-20T09:30:00Z', '1 d 4 h'],
  ])('says from %s to %s as %s', (from, to, text) => expect(lasted(from, to)).toBe(text))
})

describe('the page of rules', () => {
  const lane: ListedMarketplace = {
    name: 'Maker Lane',
    host: 'makerlane.example',
    lane: 'public',
    policyUrl: 'https://makerlane.example/policies/reviews',
    policySentence: 'Each review says in its first line how it came about.',
    readOn: '2026-11-02',
    couponPrices: [0, 50],
  }

  test('lists each marketplace with the sentence that is relied on and the day it was read', () => {
    const html = draw(RulesPage, { marketplaces: [lane, { ...lane, host: 'shut.example', lane: 'closed' }] })
    const text = words(html)
    expect(text).toContain('Maker Lane makerlane.example Public')
    expect(text).toContain('“Each review says in its first line how it came about.”')
    expect(html).toContain('id="marketplaces"')
    expect(text).toContain('costs $0.00 or $0.50')
    expect(text).toContain('November 2, 2026')
    expect(html).toContain(`href="${lane.policyUrl}"`)
    expect(text).toContain('No new products, requests or reviews.')
  })

  test('says so when none is listed, and when the list cannot be read', () => {
    expect(words(draw(RulesPage, { marketplaces: [] }))).toContain('No marketplace is listed yet')
    expect(words(draw(RulesPage))).toContain('The list cannot be read')
  })

  test('of the demo club says what differs there, and leads to no policy that is made up', () => {
    const html = draw(RulesPage, { marketplaces: [lane], demo: true })
    expect(words(html)).toContain('In this demo club two things differ')
    expect(html).not.toContain(`href="${lane.policyUrl}"`)
    expect(words(draw(RulesPage, { marketplaces: [lane] }))).not.toContain('demo club')
  })
})

const figures: PublicStatistics = {
  measuredAt: '2026-11-21T05:20:03Z',
  members: 64,
  exchanges: { lastDays: 118, ever: 1402 },
  waiting: { requests: 121, medianHours: 1.34, ninetiethHours: 14.2, waitingNow: 4 },
  offers: { accepted: 120, declined: 40, expired: 40 },
  deadlines: { onTime: 104, late: 9, missed: 5 },
  byStars: [1, 2, 3, 4, 5].map((stars) => ({
    stars,
    counts: stars === 1 ? null : { reviews: 50, returned: 3, lapsed: 1 },
  })),
  ledger: { given: 1402, received: 1402, settled: 6, sum: 0 },
  spread: [-2, -1, 0, 1, 2].map((difference) => ({ difference, members: 10 + difference })),
}
const nothing = Object.fromEntries(Object.keys(figures).map((name) => [name, null])) as PublicStatistics

describe('the fairness page', () => {
  test('shows each figure with when and how it was measured', () => {
    const text = words(draw(FairnessPage, { figures }))
    expect(text).toContain('Measured Nov 21, 05:20 UTC')
    expect(text).toContain('Reviews exchanged 118 in 30 days')
    expect(text).toContain('1,402 since the club began')
    expect(text).toContain('1.3 h for half of the requests')
    expect(text).toContain('Nine of ten waited at most 14 h')
    expect(text).toContain('60% are accepted')
    expect(text).toMatch(/Accepted 60% 120 Declined 20% 40 Expired 20% 40/)
    expect(text).toContain('Sum of the ledger 0 as it must be')
    expect(text).toMatch(/1 Too few to show 2 50 6% 3 2% 1/)
    expect(text).not.toContain('Not enough yet')
    expect(text).not.toContain('demo')
  })

  test('shows none of a small club, and says from what on it will', () => {
    const text = words(draw(FairnessPage, { figures: { ...nothing, measuredAt: figures.measuredAt } }))
    expect(text.match(/Not enough yet/g)).toHaveLength(8)
    expect(text.match(/Shown from 20 members on\./g)).toHaveLength(8)
  })

  test('names what a single figure still needs', () => {
    const text = words(draw(FairnessPage, { figures: { ...figures, offers: null, byStars: null } }))
    expect(text.match(/Not enough yet/g)).toHaveLength(2)
    expect(text).toContain('Shown from 20 answered or expired offers in 30 days on.')
    expect(text).toContain('Shown from 20 final reviews on.')
  })

  test('marks the figures of a demo club as those of made-up members', () => {
    expect(words(draw(FairnessPage, { figures, demo: true }))).toContain(
      'Of this demo club, whose members are made up.',
    )
  })

  test('says so when the ledger does not add up', () => {
    const broken = { ...figures, ledger: { given: 10, received: 9, settled: 0, sum: 1 } }
    expect(words(draw(FairnessPage, { figures: broken }))).toContain('1 which is a fault of ours')
  })

  test.each([
    [0.01, '1 min'],
    [0.7, '42 min'],
    [3, '3 h'],
    [26.4, '26 h'],
    [100, '4 days'],
  ])('says %s hours as %s', (hours, text) => expect(formatHours(hours)).toBe(text))

  test('says all only of all, and none only of none', () => {
    expect([share(0, 9), share(1, 900), share(899, 900), share(9, 9)]).toEqual(['0%', '1%', '99%', '100%'])
  })
})

/** The tag that holds this text. */
function tagOf(html: string, text: string) {
  return html.split('>').find((tag) => tag.includes(text)) ?? ''
}

describe('the contact page', () => {
  const values = { name: 'Mara', email: 'mara@', subject: '', message: '<b>"Hello"</b>\n  twice' }

  test('is a form that a browser sends by itself, to the page’s own address', () => {
    const html = draw(ContactPage)
    for (const told of ['method="post"', 'action="/contact"']) expect(tagOf(html, '<form')).toContain(told)
    for (const name of ['name', 'email', 'subject', 'message'])
      expect(html).toMatch(new RegExp(`<label for="contact-${name}"`))
    expect(html).toMatch(/<button type="submit"/)
    expect(html).not.toContain('role="alert"')
  })

  test('comes back with what was written, and each error at its field', () => {
    const errors = { email: 'Please enter a valid email address', subject: 'Please fill in all fields' }
    const html = draw(ContactPage, { contact: { sent: false, values, errors, failure: null } })
    expect(html).toContain('&lt;b&gt;&quot;Hello&quot;&lt;/b&gt;\n  twice</textarea>')
    const email = tagOf(html, 'id="contact-email"')
    for (const told of ['value="mara@"', 'aria-invalid="true"', 'aria-describedby="contact-email-error"'])
      expect(email).toContain(told)
    expect(html).toMatch(/id="contact-email-error"[^>]*>Please enter a valid email address</)
    // The cursor stands in the first field that is wrong, and in no other.
    expect(html.match(/autofocus/gi)).toHaveLength(1)
    expect(email).toMatch(/autofocus/i)
    expect(html).toContain('role="alert"')
  })

  test('says why a message was not taken, and that one was', () => {
    const failure = 'Too many attempts. Please wait a moment and try again.'
    expect(words(draw(ContactPage, { contact: { sent: false, values, errors: {}, failure } }))).toContain(
      failure,
    )
    const sent = draw(ContactPage, { contact: { sent: true, values, errors: {}, failure: null } })
    expect(words(sent)).toContain('Your message was sent')
    expect(sent).not.toContain('<form')
  })

  test('shows members the shorter way', () => {
    expect(draw(ContactPage, { signedIn: true })).toContain('href="/support"')
    expect(draw(ContactPage)).not.toContain('href="/support"')
  })
})

describe('who runs the club', () => {
  const legal = ['/privacy', '/terms', '/contact']
  const drawn = (facts: Partial<PageGiven>) =>
    pages.filter(({ path }) => legal.includes(path)).map(({ Content }) => words(draw(Content, facts)))

  test('stands in the terms, in the privacy notice and on the contact page', () => {
    const texts = drawn({ operator: { name: 'Club Ltd', address: '1 High Street, Sampletown' } })
    expect(texts).toHaveLength(legal.length)
    for (const text of texts)
      expect(text).toContain('This club is run by Club Ltd , 1 High Street, Sampletown.')
  })

  test('is nobody, in a demo club, and is left out where it was not said', () => {
    for (const text of drawn({ demo: true })) expect(text).toContain('nobody runs it as a business')
    for (const text of drawn({})) expect(text).not.toMatch(/This club is run by|demo club/)
  })
})

// Status, rules, fairness and contact as the server sends them: complete HTML before any script runs.
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
import { figures } from './fairness/testing.ts'
import { formatHours, share } from './fairness/labels.ts'
import { StatusPage } from './status/status-page.tsx'
import { pages } from './pages.tsx'
import { RulesPage } from './rules/rules-page.tsx'
import { lasted, overall, uptime } from './status/labels.ts'

const given: PageGiven = { origin: 'https://club.example', demo: false, payments: 'live', signedIn: false }

function htmlOf(Page: ComponentType<PageGiven>, facts: Partial<PageGiven> = {}) {
  return renderToStaticMarkup(createElement(Page, { ...given, ...facts }))
}

/** The text that a reader sees, without tags. */
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

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
    restoreDrill: null,
  }
}

describe('the status page', () => {
  test('says in one sentence how the club is doing, with the right plural', () => {
    const title = (states: Partial<Record<StatusPart, PartState>>) => overall(statusOf(states)).title
    expect(title({})).toBe('Everything is working')
    expect(title({ mail: 'degraded' })).toBe('Email is having trouble')
    expect(title({ files: 'degraded' })).toBe('Files are having trouble')
    expect(title({ mail: 'down', files: 'degraded' })).toBe('Email is down')
    expect(title({ jobs: 'down' })).toBe('Background jobs are down')
    expect(title({ website: 'down', database: 'down', mail: 'down' })).toBe(
      'Website, Database and Email are down',
    )
    expect(title({ mail: 'unknown' })).toBe('Everything we checked is working')
    expect(title(Object.fromEntries(parts.map((part) => [part, 'unknown'])))).toBe('No recent checks')
    expect(overall({ ...statusOf({}), reachable: false }).title).toBe('The club is unavailable')
  })

  test('shows every part with its state in text, ninety bars, and the same days in a table', () => {
    const html = htmlOf(StatusPage, { status: statusOf({ live: 'down' }, { state: 'down', failed: 30 }) })
    for (const name of Object.values(statusParts)) expect(textOf(html)).toContain(name)
    expect(textOf(html)).toMatch(/Live updates Changes on open pages Down 05:29 UTC/)
    expect(html.match(/title="[^"]*: /g)).toHaveLength(parts.length * statusRules.days)
    expect(html).toContain('title="Nov 12: 97.91% (30 of 1,440 checks failed)"')
    expect(html.match(/<tr>/g)).toHaveLength(statusRules.days + 1)
    expect(textOf(html)).toContain('90 days measured, checks failed on Nov 12')
    expect(html).not.toMatch(/<script|onclick|javascript:/)
  })

  test('makes no claim about parts that were not measured', () => {
    const status = statusOf(Object.fromEntries(parts.map((part) => [part, 'unknown'])))
    for (const part of status.parts) {
      part.days = part.days.map(({ day }) => ({ day, state: 'unknown', checks: 0, failed: 0 }))
      Object.assign(part, { checks: 0, failed: 0, checkedAt: null })
    }
    const text = textOf(htmlOf(StatusPage, { status }))
    expect(text).not.toMatch(/100%|None in the last/)
    expect(text).toContain('Nothing has been measured yet.')
  })

  test('says that nothing failed on measured days only', () => {
    const status = statusOf({})
    expect(textOf(htmlOf(StatusPage, { status }))).toContain('None in the last 90 days.')
    for (const part of status.parts)
      part.days = part.days.map((day, at) => (at < 80 ? { ...day, state: 'unknown', checks: 0 } : day))
    expect(textOf(htmlOf(StatusPage, { status }))).toContain('None since Nov 12, when we started measuring.')
  })

  test('says when a backup was last restored, and nothing more than that', () => {
    const text = (restoreDrill: Status['restoreDrill']) =>
      textOf(htmlOf(StatusPage, { status: { ...statusOf({}), restoreDrill } }))
    expect(text(null)).toContain('No backup has been restored as a test yet.')
    const drill = { at: '2026-11-21T04:10:00Z', snapshotAt: '2026-11-21T02:00:00Z', seconds: 190 }
    expect(text(drill)).toContain(
      'On Nov 21, 04:10 UTC we restored the backup of Nov 21, 02:00 UTC as a test. ' +
        'Everything in it was there, after 3 min.',
    )
    expect(text({ ...drill, seconds: 4.4 })).toContain('Everything in it was there, after 4 s.')
  })

  test('shows incidents with their length, and marks an ongoing one', () => {
    const incidents: Status['incidents'] = [
      { parts: ['mail'], startedAt: '2026-11-21T05:11:00Z', endedAt: null },
      { parts: ['website', 'database'], startedAt: '2026-11-02T22:50:00Z', endedAt: '2026-11-02T23:55:00Z' },
    ]
    const text = textOf(htmlOf(StatusPage, { status: { ...statusOf({ mail: 'down' }), incidents } }))
    expect(text).toContain('Nov 21, 05:11 UTC Email is down ongoing')
    expect(text).toContain('Nov 2, 22:50 UTC Website and Database were down for 1 h 5 min')
  })

  test('is shown even when nothing could be read', () => {
    expect(textOf(htmlOf(StatusPage))).toContain('We can’t load the results')
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

describe('the rules page', () => {
  const lane: ListedMarketplace = {
    name: 'Maker Lane',
    host: 'makerlane.example',
    lane: 'public',
    policyUrl: 'https://makerlane.example/policies/reviews',
    policySentence: 'Each review says in its first line how it came about.',
    readOn: '2026-11-02',
    couponPrices: [0, 50],
  }

  test('lists each marketplace with the policy that is relied on and the day it was read', () => {
    const html = htmlOf(RulesPage, {
      marketplaces: [lane, { ...lane, host: 'shut.example', lane: 'closed' }],
    })
    const text = textOf(html)
    expect(text).toContain('Maker Lane makerlane.example Public')
    expect(text).toContain('“Each review says in its first line how it came about.”')
    expect(html).toContain('id="marketplaces"')
    expect(text).toContain('costs $0.00 or $0.50')
    expect(text).toContain('November 2, 2026')
    expect(html).toContain(`href="${lane.policyUrl}"`)
    expect(text).toContain('No new products, requests or reviews.')
  })

  test('says when no marketplace is listed, and when the list cannot be read', () => {
    expect(textOf(htmlOf(RulesPage, { marketplaces: [] }))).toContain('No marketplace is listed yet')
    expect(textOf(htmlOf(RulesPage))).toContain('We can’t load the list')
  })

  test('says what is different in a demo club, and links to no made-up policy', () => {
    const html = htmlOf(RulesPage, { marketplaces: [lane], demo: true })
    expect(textOf(html)).toContain('Different in this demo club')
    expect(html).not.toContain(`href="${lane.policyUrl}"`)
    expect(textOf(htmlOf(RulesPage, { marketplaces: [lane] }))).not.toContain('demo club')
  })
})

const nothing = Object.fromEntries(Object.keys(figures).map((name) => [name, null])) as PublicStatistics

describe('the fairness page', () => {
  test('shows each figure with when and how it was measured', () => {
    const text = textOf(htmlOf(FairnessPage, { figures }))
    expect(text).toContain('Measured Nov 21, 05:20 UTC')
    expect(text).toContain('Reviews exchanged 118 in 30 days')
    expect(text).toContain('1,402 since the club began')
    expect(text).toContain('1.3 h for half of the requests')
    expect(text).toContain('Nine out of ten waited at most 14 h')
    expect(text).toContain('60% accepted')
    expect(text).toContain('1.7 offers for each acceptance.')
    expect(text).toMatch(/Accepted 60% 120 Declined 20% 40 Expired 20% 40/)
    expect(text).toContain('Sum of the ledger 0 as it must be')
    expect(text).toMatch(/1 Too few to show 2 50 52% 26 fewer than 20 3 50/)
    expect(text).toContain('Counted Nov 21, 00:04 UTC')
    expect(text).toContain('decides without seeing the stars')
    expect(text).toContain('Hours to a decision 9.5 h for half of the decisions')
    expect(text).toContain('Within 12 h 37% 28 12 to 24 h 33% 25 24 to 48 h 29% 22 Later 0% 0')
    expect(text).toContain('75 decisions in the last 90 days, 100% of them within 48 hours.')
    expect(text).toContain('Waiting for one now: fewer than 20. Longer than 48 hours: 0.')
    expect(text).toMatch(
      /88% submitted on time .* The counts aren’t shown while one of them is fewer than 20\./,
    )
    expect(text).toContain('100% are at most one review from even')
    expect(text).toContain('Appeals fewer than 20 reversed the decision The decision stood: 22')
    expect(text).not.toContain('Not enough yet')
    expect(text).not.toContain('demo')
  })

  test('shows no figures for a small club, and says when it will', () => {
    const text = textOf(htmlOf(FairnessPage, { figures: { ...nothing, measuredAt: figures.measuredAt } }))
    expect(text.match(/Not enough yet/g)).toHaveLength(12)
    expect(text.match(/Shown once there are 20 members\./g)).toHaveLength(12)
    expect(text).not.toContain('Counted')
  })

  test('shows the share alone where a part is too small to show', () => {
    const few = {
      ...figures,
      offers: figures.offers && { ...figures.offers, counts: null },
      spread: { withinOneShare: 0.96, columns: null },
      decisions: figures.decisions && { ...figures.decisions, inTimeShare: 0.97, steps: null },
    }
    const text = textOf(htmlOf(FairnessPage, { figures: few }))
    expect(text).toContain('60% accepted')
    expect(text).toContain('96% are at most one review from even')
    expect(text).toContain('The columns aren’t shown while one of them has fewer than 20 members.')
    expect(text).toContain('97% of them within 48 hours')
    expect(text).not.toMatch(/Accepted 60%|Within 12 h/)
  })

  test('says what a single figure still needs', () => {
    const some = { ...figures, offers: null, byStars: null, decisions: null, appeals: null }
    const text = textOf(htmlOf(FairnessPage, { figures: some }))
    expect(text.match(/Not enough yet/g)).toHaveLength(4)
    expect(text).toContain('Shown once there are 20 decisions in 90 days.')
    expect(text).toContain('Shown once 20 appeals are decided.')
    expect(text).toContain('Shown once there are 20 answered or expired offers in 30 days.')
    expect(text).toContain('Shown once there are 20 reviews.')
  })

  test('says that the members of a demo club are made up', () => {
    expect(textOf(htmlOf(FairnessPage, { figures, demo: true }))).toContain(
      'This demo club’s members are made up.',
    )
  })

  test('speaks of a public beacon only where one is used, with the share of draws that had its value', () => {
    expect(textOf(htmlOf(FairnessPage, { figures }))).not.toMatch(/beacon/i)
    const open = figures.open && { ...figures.open, beacon: { requests: 120, share: 0.95 } }
    const text = textOf(htmlOf(FairnessPage, { figures: { ...figures, open }, beacon: true }))
    expect(text).toContain('A random value of a public beacon')
    expect(text).toContain('If it doesn’t come within 60 seconds')
    expect(text).toContain('Draws with the public beacon 95% of 120 requests')
  })

  test('says when the ledger does not add up', () => {
    const broken = { ...figures, ledger: { given: 10, received: 9, settled: 0, sum: 1 } }
    expect(textOf(htmlOf(FairnessPage, { figures: broken }))).toContain('1 which is our mistake')
  })

  test.each([
    [0.01, '1 min'],
    [0.7, '42 min'],
    [3, '3 h'],
    [26.4, '26 h'],
    [100, '4 days'],
  ])('says %s hours as %s', (hours, text) => expect(formatHours(hours)).toBe(text))

  test('says 100% only for all, and 0% only for none', () => {
    expect([share(0, 9), share(1, 900), share(899, 900), share(9, 9)]).toEqual(['0%', '1%', '99%', '100%'])
  })
})

/** The tag that holds this text. */
function tagOf(html: string, text: string) {
  return html.split('>').find((tag) => tag.includes(text)) ?? ''
}

describe('the contact page', () => {
  const values = { name: 'Mara', email: 'mara@', subject: '', message: '<b>"Hello"</b>\n  twice' }

  test('is a form that a browser sends without a script, to the page’s own address', () => {
    const html = htmlOf(ContactPage)
    for (const part of ['method="post"', 'action="/contact"']) expect(tagOf(html, '<form')).toContain(part)
    for (const name of ['name', 'email', 'subject', 'message'])
      expect(html).toMatch(new RegExp(`<label for="contact-${name}"`))
    expect(html).toMatch(/<button type="submit"/)
    expect(html).not.toContain('role="alert"')
  })

  test('keeps what was written, and shows each error at its field', () => {
    const errors = { email: 'Please enter a valid email address', subject: 'Please fill in all fields' }
    const html = htmlOf(ContactPage, { contact: { sent: false, values, errors, failure: null } })
    expect(html).toContain('&lt;b&gt;&quot;Hello&quot;&lt;/b&gt;\n  twice</textarea>')
    const email = tagOf(html, 'id="contact-email"')
    for (const part of ['value="mara@"', 'aria-invalid="true"', 'aria-describedby="contact-email-error"'])
      expect(email).toContain(part)
    expect(html).toMatch(/id="contact-email-error"[^>]*>Please enter a valid email address</)
    // Only the first wrong field gets the focus.
    expect(html.match(/autofocus/gi)).toHaveLength(1)
    expect(email).toMatch(/autofocus/i)
    expect(html).toContain('role="alert"')
  })

  test('says why a message was refused, and that one was sent', () => {
    const failure = 'Too many attempts. Please wait a moment and try again.'
    expect(textOf(htmlOf(ContactPage, { contact: { sent: false, values, errors: {}, failure } }))).toContain(
      failure,
    )
    const sent = htmlOf(ContactPage, { contact: { sent: true, values, errors: {}, failure: null } })
    expect(textOf(sent)).toContain('Your message was sent')
    expect(sent).not.toContain('<form')
  })

  test('promises an answer only where a person reads the messages', () => {
    const sent = { sent: true, values, errors: {}, failure: null }
    expect(textOf(htmlOf(ContactPage))).toContain('A person reads every message and answers by email')
    expect(textOf(htmlOf(ContactPage, { contact: sent }))).toContain('answer to the same address')
    for (const contact of [undefined, sent]) {
      const text = textOf(htmlOf(ContactPage, { contact, demo: true }))
      expect(text).toContain('only its staff accounts')
      expect(text).not.toMatch(/A person reads|we can answer|answer to the same/)
    }
    const { description } = pages.find(({ path }) => path === '/contact') ?? {}
    expect(description).not.toMatch(/person|answer/)
  })

  test('links members to Support', () => {
    expect(htmlOf(ContactPage, { signedIn: true })).toContain('href="/support"')
    expect(htmlOf(ContactPage)).not.toContain('href="/support"')
  })
})

describe('who runs the club', () => {
  const legal = ['/privacy', '/terms', '/contact']
  const textsOf = (facts: Partial<PageGiven>) =>
    pages.filter(({ path }) => legal.includes(path)).map(({ Content }) => textOf(htmlOf(Content, facts)))

  test('is named in the terms, in the privacy notice and on the contact page', () => {
    const texts = textsOf({ operator: { name: 'Club Ltd', address: '1 High Street, Sampletown' } })
    expect(texts).toHaveLength(legal.length)
    for (const text of texts)
      expect(text).toContain('This club is run by Club Ltd , 1 High Street, Sampletown.')
  })

  test('is not named in a demo club, or without the settings for it', () => {
    for (const text of textsOf({ demo: true })) expect(text).toContain('it isn’t run as a business')
    for (const text of textsOf({})) expect(text).not.toMatch(/This club is run by|demo club/)
  })
})

// Writes docs/fairness.md with its charts from the kept figures, in which each size replaces its own.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { clubsOf } from './result.ts'
import type { Kept, SimplerWays, SizeResult } from './result.ts'
import { drawBars } from './charts.ts'
import type { Figures, Group } from './figures.ts'
import { goalsOf, honestRatio, riseByHostile, riseOver } from './goals.ts'
import { honest } from './people.ts'
import { paragraph, percent, show, table } from './tables.ts'
import { sectionOnLongWaits } from './long-waits.ts'
import type { Span } from './simulation.ts'
import { whyMissed } from './why-missed.ts'

const page = 'docs/fairness.md'
const folder = 'docs/fairness'
/** What the command writes. */
export const written = [page, folder]
const data = `${folder}/figures.json`

/** Replaces the kept result of this size, which was measured with `code`, and writes the page again. */
export async function keepFairness(result: SizeResult, code: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  const kept = await readKept()
  const others = kept.filter(({ size }) => size !== result.size)
  const openSlate = kept.find(({ size }) => size === result.size)?.openSlate
  await writeAll([...others, { ...result, day, commit: code, ...(openSlate && { openSlate }) }])
}

/**
 * The sizes that are kept, or those of them that are wanted, with the days that they ran and the seeds of
 * their further clubs.
 */
export async function keptSizes(
  wanted?: number[],
): Promise<(Span & { size: number; otherSeeds: number[] })[]> {
  const kept = await readKept()
  return kept.flatMap(({ size, seed, days, warmUpDays, others }) => {
    const otherSeeds = others.map((each) => each.seed)
    return wanted?.includes(size) === false ? [] : [{ size, seed, days, warmUpDays, otherSeeds }]
  })
}

/** Replaces the hostile clubs of a kept size, which were measured with `code`, and writes the page again. */
export async function keepHostile(
  size: number,
  clubs: Pick<SizeResult, 'hostile' | 'hostileOthers'>,
  code: string,
): Promise<void> {
  await replaceIn(size, { ...clubs, hostileCommit: code })
}

/** Replaces the simpler ways of a kept size, and writes the page again. */
export async function keepSimplerWays(size: number, ways: SimplerWays): Promise<void> {
  await replaceIn(size, ways)
}

/** Keeps the club with an open slate of a kept size, and writes the page again. */
export async function keepOpenSlate(size: number, openSlate: Kept['openSlate']): Promise<void> {
  await replaceIn(size, { openSlate })
}

async function replaceIn(size: number, part: Partial<Kept>) {
  await writeAll((await readKept()).map((kept) => (kept.size === size ? { ...kept, ...part } : kept)))
}

async function readKept(): Promise<Kept[]> {
  // This command wrote the file.
  return JSON.parse(await readFile(data, 'utf8').catch(() => '[]')) as Kept[]
}

async function writeAll(kept: Kept[]) {
  await mkdir(folder, { recursive: true })
  const all = kept.toSorted((one, other) => one.size - other.size)
  await writeFile(data, `${JSON.stringify(all, null, 2)}\n`)
  await writeFile(page, writePage(all))
  for (const [name, chart] of chartsOf(all)) await writeFile(`${folder}/${name}.svg`, chart)
}

function writePage(kept: Kept[]): string {
  return `${[
    '# Fairness',
    '',
    'Written by `npm run bench fairness`; a size that is measured again replaces its own figures.',
    '',
    ...about,
    '',
    ...kept.flatMap(({ size, day, commit, hostileCommit, days, warmUpDays, others }) => [
      `- ${size} members: ${days - warmUpDays} days that count after ${warmUpDays}, ` +
        `${runsOf(others.length + 1)}, measured on ${day} with the code of ${commit}.`,
      ...(hostileCommit ? [`  The hostile club was measured with the code of ${hostileCommit}.`] : []),
    ]),
    '',
    ...paragraph(
      'Two runs of one club differ by chance, between code that differs in nothing that a rule sees: at ' +
        '300 members by up to a fifth in the median wait, and by a third at p90.',
    ),
    '',
    '## Goals',
    '',
    ...table(
      ['members', 'figure', 'goal', 'measured', 'reached'],
      kept.flatMap((result) =>
        goalsOf(result).map(({ name, goal, measured, reached }) => [
          String(result.size),
          name,
          goal,
          measured,
          reached ? 'yes' : '**no**',
        ]),
      ),
    ),
    '',
    ...whyMissed(kept),
    '',
    '![Waiting time by size and policy](fairness/waits.svg)',
    '',
    ...sectionOnLongWaits(kept),
    '## The draw beside three simpler ways',
    '',
    'Waits are hours from request to acceptance, without the seller’s pauses. Each line is of the first run.',
    '',
    ...table(
      [
        'members, policy',
        'p50',
        'p90',
        'p99',
        'max',
        'over 7 days',
        'requests',
        'offers per acceptance',
        'reviews per member and week',
        'within ±1',
        'within ±2',
        'largest',
        'Gini of received',
      ],
      kept.flatMap(({ size, product, fifo, random, soonest }) => [
        compared(`${size}, the draw`, product.figures),
        compared(`${size}, first in, first out`, fifo),
        compared(`${size}, random`, random),
        compared(`${size}, first who comes`, soonest),
      ]),
    ),
    '',
    '## Meetings',
    '',
    ...paragraph(
      'The window is the one in force when the offer was made, counted from the pair’s last meeting. A ' +
        'reverse meeting changes the sides of that one. A circle is three members who reviewed one another ' +
        'in a ring over the whole run; chance is the same reviews dealt to sellers at random, whatever ' +
        'the rules, and beside it stand the circles of two simpler ways. The draw avoids circles of 28 ' +
        'days where another of the same band is left. Over a longer time two things make circles likelier ' +
        'than chance, which was not measured apart: members meet those who are here at the same hours, and ' +
        'no pair meets again within its window.',
    ),
    '',
    ...table(
      [
        'members',
        'reverse inside the window',
        'repeated inside the window',
        'reverse in 28 days',
        'reverse ever',
        'circles',
        'by chance',
        'first in, first out',
        'random',
        'finished',
        'answered in session',
        'visits',
        'by mail',
        'nudges',
        'broken invariants',
      ],
      kept.map(({ size, product: { figures, breaches }, fifo, random }) => [
        String(size),
        show(figures.reverseInWindow),
        show(figures.repeatedInWindow),
        show(figures.reverseIn28Days),
        show(figures.reverseEver),
        show(figures.circles),
        show(figures.circlesByChance),
        show(fifo.circles),
        show(random.circles),
        percent(figures.finished),
        percent(figures.answeredInSession),
        show(figures.visits),
        show(figures.mailVisits),
        show(figures.nudges),
        breaches.length === 0 ? '0' : breaches.map(({ invariant }) => invariant.slice(0, 3)).join(' '),
      ]),
    ),
    '',
    '## What each cohort gives and gets',
    '',
    ...paragraph(
      'A club of the same size in which a fifth of the people are of these cohorts. “From its own” is the ' +
        'share of the reviews received that others of the same cohort wrote. A ring with timing is here ' +
        'all day and asks when one of its own is here who could be drawn; after a day without one it asks ' +
        'like others.',
    ),
    '',
    ...kept.flatMap((result) => cohortSection(result)),
  ].join('\n')}\n`
}

const about = [
  ...paragraph(
    'Clubs of simulated people use the product’s own functions on a real PostgreSQL whose clock jumps from ' +
      'event to event: days of warm-up, then days that count. The behavior is assumed, not fitted: ' +
      '20% keen (3 visits a day), 45% regular (1), 25% casual (0.3), 10% ghosts (0.05); they accept 80, ' +
      '70, 55 and 40% of offers and finish 98, 95, 88 and 75% of what they accept, after 10, 24, 40 and ' +
      '60 hours in the median. Sessions are log-normal around 12 minutes, within 16 waking hours of a ' +
      'random time zone. A mail about an offer, a waiting request or a review to confirm brings a visit ' +
      'with 60, 45, 30 and 5%, after 3 hours in the median. A seller confirms at the next visit, or 72 ' +
      'hours decide. A visit ends a rest. Members pause every 120 days for 3 to 30 days; .1 to .6% leave ' +
      'on a day and are replaced. Our staff reinstates members whom missed reviews suspend, a week later. ' +
      'Each member has three products and asks whenever the rules allow it.',
  ),
  '',
  ...paragraph(
    'The simpler ways meet the same people on the same visits, with the product’s limits on asking, ' +
      'giving, receiving and meeting. They leave out admission in a small club, give-first, overdue ' +
      'reviews, rests and suspension. Two of them make each offer at once, for 24 hours, to a member who ' +
      'may be away: the one who has waited longest for an offer, or a random one; pairs meet once in 14 ' +
      'days. The third cares about nothing but time: a request goes to a member who is here and may take ' +
      'it, and then to the first who comes. It has the windows and the nudges of the product, and no draw.',
  ),
]

function cohortSection(result: Kept): string[] {
  const { size, product, hostile } = result
  if (!hostile) return []
  const runs = clubsOf(result)
  const { wait, offersPerAcceptance } = hostile.figures
  const rise = riseByHostile(product.figures, hostile.figures)
  return [
    `### ${size} members`,
    '',
    ...table(
      ['cohort', 'members', 'given', 'received', 'received per given', 'from its own', 'p50 of its waits'],
      hostile.figures.groups.map((group) => [
        group.kind,
        show(group.people),
        show(group.given),
        show(group.received),
        show(group.receivedPerGiven),
        percent(group.fromOwn),
        show(group.waitP50),
      ]),
    ),
    '',
    ...paragraph(
      `The others wait ${show(wait.p50)} h in the median and ${show(wait.p99)} h at p99, against ` +
        `${show(product.figures.wait.p50)} and ${show(product.figures.wait.p99)} in the ordinary club: ` +
        `${show(100 * rise)}% more in the median. Offers per acceptance: ${show(offersPerAcceptance)}. ` +
        `Honest members receive ${show(honestRatio(hostile.figures))} for each review they give.` +
        (runs.ordinary.length > 1
          ? ` By the means of ${runsOf(runs.ordinary.length)} of the ordinary club and ` +
            `${runs.hostile.length} of this one it is ` +
            `${show(100 * riseOver(runs.ordinary, runs.hostile, 'p50'))}% more.`
          : ''),
    ),
    '',
    `![What each cohort receives per given, ${size} members](fairness/cohorts-${size}.svg)`,
    '',
  ]
}

function compared(name: string, figures: Figures): string[] {
  const { wait } = figures
  return [
    name,
    ...[wait.p50, wait.p90, wait.p99, wait.max].map(show),
    show(figures.over7Days),
    show(figures.asked),
    show(figures.offersPerAcceptance),
    show(figures.perMemberAndWeek),
    percent(figures.within1),
    percent(figures.within2),
    show(figures.largest),
    show(figures.gini),
  ]
}

function chartsOf(kept: Kept[]): [string, string][] {
  const waits = drawBars({
    title: 'From request to acceptance',
    unit: 'hours, each tenfold as wide',
    series: ['the draw', 'first in, first out', 'random'],
    logarithmic: true,
    rows: kept.flatMap(({ size, product, fifo, random }) =>
      (['p50', 'p99'] as const).map((share) => ({
        label: `${size} members, ${share}`,
        values: [product.figures, fifo, random].map(({ wait }) => wait[share]),
      })),
    ),
  })
  const cohorts = kept.flatMap(({ size, hostile }): [string, string][] =>
    hostile ? [[`cohorts-${size}`, cohortChart(size, hostile.figures.groups)]] : [],
  )
  return [['waits', waits], ...cohorts]
}

function cohortChart(size: number, groups: Group[]) {
  return drawBars({
    title: `Received per given, ${size} members`,
    unit: 'reviews',
    series: ['received for each review given'],
    rows: ordered(groups).map(({ kind, receivedPerGiven }) => ({ label: kind, values: [receivedPerGiven] })),
  })
}

const ordered = (groups: Group[]) =>
  groups.toSorted(
    (one, other) =>
      Number(!honest.some((kind) => kind === one.kind)) - Number(!honest.some((kind) => kind === other.kind)),
  )

const runsOf = (count: number) => (count === 1 ? '1 run' : `${count} runs`)

// Fairness: clubs of simulated people for months, by the product's own functions on a clock that jumps from
// event to event, beside two simpler ways to hand out offers. Writes docs/fairness.md.
import { codeNow } from './code.ts'
import { findBreaches } from '#db/invariants.ts'
import { movedClock, makeClock, onClock } from './fairness/clock.ts'
import { openVirtualClub } from './fairness/club.ts'
import { figuresOf } from './fairness/figures.ts'
import { honest, makePeople } from './fairness/people.ts'
import type { Person } from './fairness/people.ts'
import { simulateModel } from './fairness/models.ts'
import { simulate } from './fairness/simulation.ts'
import type { Span } from './fairness/simulation.ts'
import { clubsOf } from './fairness/result.ts'
import type { Club, SimplerWays, SizeResult } from './fairness/result.ts'
import {
  keepFairness,
  keepHostile,
  keepOpenSlate,
  keepSimplerWays,
  keptSizes,
  written,
} from './fairness/report.ts'
import { percent, show } from './fairness/tables.ts'
import { goalsOf } from './fairness/goals.ts'
import { withServer } from './server.ts'
import type { MakeDatabase } from './server.ts'
import { realSlate } from '#server/kit/config.ts'
import { StartError } from '#server/kit/start-error.ts'
import type { SlateRule } from '#contract/draw.ts'

const sizes = [20, 100, 300, 1000]
const largest = 10_000
/** A day of 10,000 members takes minutes, and has as many requests as ten days of 1,000. */
const daysOf = (size: number) => (size < largest ? { warmUp: 15, counted: 90 } : { warmUp: 7, counted: 7 })
/** Small clubs differ more from one another, so more of them run. */
const seedsOf = (size: number) => (size <= 20 ? 3 : size <= 300 ? 2 : 1)

type Wanted = { sizes: number[]; days: number | undefined }

/**
 * The command: runs the clubs of these sizes, or all; keeps each as soon as it is done. With `--simpler` it
 * simulates the simpler ways of the kept sizes alone, with `--open-slate` it runs the ordinary clubs of the
 * given sizes with every member drawable at once, and with `--hostile` only their hostile clubs.
 */
export async function runFairness(given: string[]): Promise<number> {
  if (given.includes('--simpler')) return simulateSimplerWays()
  const kept = given.map(Number).filter(Number.isInteger)
  if (given.includes('--open-slate')) return measureOpenSlate(kept)
  if (given.includes('--hostile')) return measureHostile(kept)
  const wanted = readWanted(given)
  const code = codeNow(...written)
  let isBroken = false
  for (const size of wanted.sizes) {
    const { warmUp, counted } = daysOf(size)
    const span = { seed: 1, days: warmUp + (wanted.days ?? counted), warmUpDays: warmUp }
    await withServer(
      async (make) => {
        for await (const result of measureFairness(make, size, span, seedsOf(size))) {
          await keepFairness(result, code)
          print(result)
          isBroken ||= breachesOf(result) > 0
        }
      },
      { fast: true },
    )
  }
  console.log('\nKept in docs/fairness.md.')
  return isBroken ? 1 : 0
}

async function simulateSimplerWays() {
  for (const { size, ...span } of await keptSizes()) {
    await keepSimplerWays(size, simplerWays(size, span))
    console.log(`${size} members: the simpler ways are simulated.`)
  }
  return 0
}

/** What the slate costs: the ordinary club of each of these kept sizes without it. */
async function measureOpenSlate(wanted: number[]) {
  const code = codeNow(...written)
  for (const { size, ...span } of await keptSizes(wanted)) {
    const people = makePeople({ ...span, size, hostile: false })
    const slate = { ...realSlate, start: 1 }
    const club = await withServer((make) => runClub(make, `open_${size}`, people, span, { slate }), {
      fast: true,
    })
    await keepOpenSlate(size, { ...club, commit: code })
    console.log(
      `${size} members: p50 ${show(club.figures.wait.p50)} h, p99 ${show(club.figures.wait.p99)} h.`,
    )
  }
  return 0
}

/** The hostile clubs of each of these kept sizes, whose ordinary ones stay as they were measured. */
async function measureHostile(wanted: number[]) {
  const code = codeNow(...written)
  let isBroken = false
  for (const { size, otherSeeds, ...span } of await keptSizes(wanted)) {
    await withServer(
      async (make) => {
        const hostile = await runHostile(make, size, span)
        const hostileOthers = []
        for (const seed of otherSeeds) {
          hostileOthers.push({ ...(await runHostile(make, size, { ...span, seed })), seed })
        }
        await keepHostile(size, { hostile, hostileOthers }, code)
        isBroken ||= [hostile, ...hostileOthers].some(({ breaches }) => breaches.length > 0)
        console.log(`${size} members: p50 of the others ${show(hostile.figures.wait.p50)} h.`)
      },
      { fast: true },
    )
  }
  return isBroken ? 1 : 0
}

function breachesOf(result: SizeResult) {
  const { ordinary, hostile } = clubsOf(result)
  return [...ordinary, ...hostile].flatMap(({ breaches }) => breaches).length
}

function readWanted(given: string[]): Wanted {
  const stated = given.find((each) => each.startsWith('--days='))?.slice('--days='.length)
  const days = stated === undefined ? undefined : Number(stated)
  const chosen = given.filter((each) => !each.startsWith('--')).map(Number)
  const unknown = given.find((each) => each.startsWith('--') && !/^--(?:large|days=\d+)$/.test(each))
  if (
    unknown ||
    chosen.some((size) => !Number.isInteger(size) || size < 4) ||
    !(days === undefined || days >= 1)
  )
    throw new StartError(
      'Give the sizes of the clubs as numbers from 4, or nothing for all; --days=90, --large; or ' +
        '--simpler; or sizes with --open-slate or --hostile.',
    )
  const wanted = chosen.length > 0 ? chosen : sizes
  return { sizes: given.includes('--large') ? [...wanted, largest] : wanted, days }
}

function print(result: SizeResult) {
  const { size, product, hostile } = result
  const took = show(product.seconds + (hostile?.seconds ?? 0))
  console.log(`\n${size} members, ${percent(product.figures.within1)} within one of even, ${took} s`)
  for (const { name, goal, measured, reached } of goalsOf(result)) {
    console.log(`  ${reached ? 'reached' : 'MISSED '} ${name}: ${measured}, goal ${goal}`)
  }
}

/** Runs the clubs of one size, and yields what is known after each of them. */
export async function* measureFairness(
  make: MakeDatabase,
  size: number,
  span: Span,
  seeds = 1,
): AsyncGenerator<SizeResult> {
  const result: SizeResult = {
    ...span,
    size,
    product: await runOrdinary(make, size, span),
    others: [],
    hostile: null,
    ...simplerWays(size, span),
  }
  yield result
  result.hostile = await runHostile(make, size, span)
  yield result
  for (let seed = 2; seed <= seeds; seed += 1) {
    result.others.push({ ...(await runOrdinary(make, size, { ...span, seed })), seed })
    yield result
    result.hostileOthers ??= []
    result.hostileOthers.push({ ...(await runHostile(make, size, { ...span, seed })), seed })
    yield result
  }
}

function simplerWays(size: number, span: Span): SimplerWays {
  const ordinary = makePeople({ ...span, size, hostile: false })
  const mixed = makePeople({ ...span, size, hostile: true })
  return {
    fifo: figuresOf(simulateModel('fifo', ordinary, span)),
    random: figuresOf(simulateModel('random', ordinary, span)),
    soonest: figuresOf(simulateModel('soonest', ordinary, span)),
    soonestInHostile: figuresOf(simulateModel('soonest', mixed, span), isOther),
  }
}

export function runOrdinary(make: MakeDatabase, size: number, span: Span): Promise<Club> {
  const people = makePeople({ ...span, size, hostile: false })
  return runClub(make, `ordinary_${size}_${span.seed}`, people, span)
}

/** Its figures are of those who are not hostile. */
function runHostile(make: MakeDatabase, size: number, span: Span): Promise<Club> {
  const people = makePeople({ ...span, size, hostile: true })
  return runClub(make, `hostile_${size}_${span.seed}`, people, span, { only: isOther })
}

const isOther = ({ kind }: Person) => honest.includes(kind)

async function runClub(
  make: MakeDatabase,
  name: string,
  people: Person[],
  span: Span,
  { only, slate }: { only?: (person: Person) => boolean; slate?: SlateRule } = {},
): Promise<Club> {
  const connection = await make(name, movedClock)
  const clock = makeClock()
  const began = performance.now()
  return onClock(clock, span.seed, async () => {
    const club = await openVirtualClub(connection, clock, slate)
    try {
      const journal = await simulate(club, people, span)
      const figures = figuresOf(journal, only)
      const breaches = await findBreaches(club.system.db)
      return { figures, breaches, seconds: (performance.now() - began) / 1000 }
    } finally {
      await club.close()
    }
  })
}

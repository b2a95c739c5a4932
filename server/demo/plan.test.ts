import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pause, planStep } from './plan.ts'
import { demoConfirmMinutes } from '#contract/demo.ts'
import type { Exchange, SimulatedMember, Waiting, DemoState } from './plan.ts'

// The same seed in every run: what fails once fails again.
fc.configureGlobal({ seed: 1 })

const person: SimulatedMember = {
  id: 'grete',
  inRotation: true,
  balance: 0,
  give: 0,
  take: 0,
  open: 0,
  here: false,
  hasOffer: false,
  available: true,
  acceptedToday: 0,
  acceptedThisWeek: 0,
  declinedToday: 0,
  unseenFor: 60,
  turnAge: 1000,
}

const exchange: Exchange = {
  id: 'review',
  status: 'pending',
  reviewerId: 'grete',
  sellerId: 'nova',
  simulatedReviewer: true,
  simulatedSeller: false,
  drawn: true,
  hasDraft: false,
  usable: false,
  acceptedAge: 0,
  purchasedAge: 0,
  submittedAge: 0,
  returnedAge: 0,
  secondsLeft: 600_000,
}

const membersOf = (size: number, some: Partial<SimulatedMember> = {}) =>
  Array.from({ length: size }, (_, place) => ({ ...person, id: `member-${place}`, ...some }))
const empty: DemoState = { people: [], offers: [], exchanges: [], queue: [] }
const plan = (state: Partial<DemoState>) => planStep({ ...empty, ...state })
const kinds = (state: Partial<DemoState>) => plan(state).map(({ kind }) => kind)
const waiting = (some: Partial<Waiting> = {}): Waiting => ({
  queueId: 'request',
  fromGuest: false,
  age: 10,
  place: 1,
  barred: [],
  ...some,
})

describe('an offer to a simulated member', () => {
  const offer = { id: 'offer', queueId: 'request', reviewerId: 'grete', fromGuest: false, age: 13 }

  test('of a guest’s product is always accepted, within 12 seconds', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(plan({ people: [person], offers: [{ ...offer, id, fromGuest: true }] })).toContainEqual(
          expect.objectContaining({ kind: 'answer', accept: true }),
        )
      }),
    )
  })

  test('waits at least 6 seconds for its answer', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(kinds({ offers: [{ ...offer, id, age: 5.9 }] })).not.toContain('answer')
      }),
    )
  })

  test('is sometimes declined, with a reason, but not twice a day by the same member', () => {
    const ids = Array.from({ length: 400 }, (_, place) => `offer-${place}`)
    const answers = (declinedToday: number) =>
      ids.flatMap((id) => plan({ people: [{ ...person, declinedToday }], offers: [{ ...offer, id }] }))
    const declined = answers(0).filter((action) => action.kind === 'answer' && !action.accept)
    expect(declined.length).toBeGreaterThan(30)
    expect(declined.length).toBeLessThan(90)
    for (const action of declined) expect(action).toHaveProperty('reason')
    expect(answers(1).filter((action) => action.kind === 'answer' && !action.accept)).toEqual([])
  })
})

describe('a review by a simulated member', () => {
  test('is bought, drafted and submitted, each in its time', () => {
    expect(kinds({ exchanges: [{ ...exchange, acceptedAge: 5 }] })).not.toContain('buy')
    expect(kinds({ exchanges: [{ ...exchange, acceptedAge: 10 }] })).toContain('buy')
    const bought: Exchange = { ...exchange, status: 'purchased', purchasedAge: 6 }
    expect(kinds({ exchanges: [bought] })).toContain('draft')
    expect(kinds({ exchanges: [{ ...bought, hasDraft: true }] })).not.toContain('submit')
    expect(kinds({ exchanges: [{ ...bought, hasDraft: true, purchasedAge: 20, usable: true }] })).toContain(
      'submit',
    )
  })

  test('is not submitted before the minimum time of use has passed', () => {
    const early: Exchange = {
      ...exchange,
      status: 'purchased',
      purchasedAge: 500,
      usable: false,
      hasDraft: true,
    }
    expect(kinds({ exchanges: [early] })).not.toContain('submit')
  })

  test('that was returned is submitted again', () => {
    expect(kinds({ exchanges: [{ ...exchange, status: 'returned', returnedAge: 20 }] })).toContain('submit')
  })

  test('from the seed is left alone until a day before its deadline', () => {
    const old = { ...exchange, drawn: false, acceptedAge: 90_000 }
    expect(kinds({ exchanges: [old] })).not.toContain('buy')
    expect(kinds({ exchanges: [{ ...old, secondsLeft: 80_000 }] })).toContain('buy')
  })
})

describe('a review that waits for an answer', () => {
  const handedIn: Exchange = { ...exchange, status: 'reviewed', submittedAge: demoConfirmMinutes * 60 }

  test('is left to a guest for ten minutes, and then verified by support', () => {
    expect(kinds({ exchanges: [handedIn] })).toContain('verify')
    expect(kinds({ exchanges: [{ ...handedIn, submittedAge: 599 }] })).not.toContain('verify')
  })

  test('from the seed is left for its seller', () => {
    expect(kinds({ exchanges: [{ ...handedIn, drawn: false, submittedAge: 20_000 }] })).not.toContain(
      'verify',
    )
  })

  test('is confirmed by a simulated seller within 20 seconds, also when a guest wrote it', () => {
    const ours = { ...handedIn, simulatedSeller: true, submittedAge: 20 }
    expect(kinds({ exchanges: [ours] })).toContain('confirm')
    const ofGuest = { ...ours, simulatedReviewer: false, drawn: false }
    expect(kinds({ exchanges: [ofGuest] })).toContain('confirm')
  })

  test('is left alone between two guests', () => {
    expect(plan({ exchanges: [{ ...handedIn, simulatedReviewer: false }] })).toEqual([])
  })
})

describe('simulated members who come online', () => {
  const arrivals = (state: Partial<DemoState>) =>
    plan(state).flatMap((action) => (action.kind === 'arrive' ? action.by : []))

  test('for a guest’s request are as many as its place in the queue, and may all take it', () => {
    const people = membersOf(20)
    const barred = ['member-0', 'member-1']
    const called = arrivals({ people, queue: [waiting({ fromGuest: true, place: 4, barred, age: 2 })] })
    expect(called).toHaveLength(4)
    for (const id of barred) expect(called).not.toContain(id)
  })

  test('come for a guest even when the simulator has done enough for today', () => {
    const people = membersOf(20, { acceptedToday: 2, acceptedThisWeek: 7 })
    expect(arrivals({ people, queue: [waiting({ fromGuest: true })] })).toHaveLength(1)
  })

  test('are joined by one more while a guest’s request still waits, though enough are present', () => {
    const people = [...membersOf(5), ...membersOf(1, { id: 'here', here: true })]
    expect(arrivals({ people, queue: [waiting({ fromGuest: true, age: 4 })] })).toEqual([])
    expect(arrivals({ people, queue: [waiting({ fromGuest: true, age: 9 })] })).toHaveLength(1)
  })

  test('come one at a time for simulated requests, and not while another one is free', () => {
    expect(arrivals({ people: membersOf(20), queue: [waiting()] })).toHaveLength(1)
    expect(arrivals({ people: [...membersOf(20), { ...person, here: true }], queue: [waiting()] })).toEqual(
      [],
    )
  })

  test('leave ten members free for guests', () => {
    expect(arrivals({ people: membersOf(10), queue: [waiting()] })).toEqual([])
  })

  test('wait at least 75 seconds between two draws, and longer when fewer accepts are left', () => {
    expect(arrivals({ people: membersOf(42, { turnAge: 70 }), queue: [waiting()] })).toEqual([])
    expect(pause(membersOf(42))).toBe(75)
    expect(pause(membersOf(42, { acceptedToday: 2 }))).toBeGreaterThan(3600)
    fc.assert(
      fc.property(fc.nat({ max: 3 }), fc.nat({ max: 8 }), (acceptedToday, acceptedThisWeek) => {
        expect(pause(membersOf(42, { acceptedToday, acceptedThisWeek }))).toBeGreaterThanOrEqual(
          pause(membersOf(42)),
        )
      }),
    )
  })

  test('include at most ten busy ones, one after the other', () => {
    const busy = { give: 1, unseenFor: 1000 }
    const here = membersOf(9, { ...busy, here: true })
    const away = ['hana', 'isak'].map((id) => ({ ...person, ...busy, id }))
    expect(arrivals({ people: [...here, ...away] })).toHaveLength(1)
    expect(arrivals({ people: [...here, { ...person, ...busy, id: 'tenth', here: true }, ...away] })).toEqual(
      [],
    )
  })

  test('are never on cooldown or at a limit when an offer is due', () => {
    expect(
      arrivals({ people: membersOf(20, { available: false }), queue: [waiting({ fromGuest: true })] }),
    ).toEqual([])
  })
})

describe('simulated requests', () => {
  const asks = (people: SimulatedMember[], queue: Waiting[]) => kinds({ people, queue }).includes('ask')

  test('are made until a few wait, and no more', () => {
    const people = membersOf(20)
    expect(asks(people, [])).toBe(true)
    expect(asks(people, [waiting()])).toBe(true)
    expect(asks(people, [waiting({ age: 40 }), waiting({ age: 50 })])).toBe(true)
    expect(asks(people, [waiting({ age: 20 }), waiting({ age: 50 })])).toBe(false)
    expect(
      asks(
        people,
        [1, 2, 3].map(() => waiting({ age: 500 })),
      ),
    ).toBe(false)
  })

  test('wait while a simulated member is free', () => {
    expect(asks([...membersOf(20), { ...person, here: true }], [])).toBe(false)
  })

  test('come only from members who may ask', () => {
    expect(asks(membersOf(20, { balance: -1 }), [])).toBe(false)
    expect(asks(membersOf(20, { balance: 1, take: 1, open: 1 }), [])).toBe(false)
  })
})

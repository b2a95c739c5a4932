// The memberships of the demo club's members so far: free, and renewed every month.
import { demoMembershipDays } from '#contract/membership.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'

/** Times are minutes from now. `endsAt` is the end of the running period. */
type Membership = {
  joinedAt: number
  endsAt: number
  pause: { from: number; until: number } | null
}

type Change = {
  kind: 'granted' | 'renewed' | 'paused'
  at: number
  until: number
  title: string
  text: string
  status: 'success' | 'info'
}

/** What happened to a membership, the oldest first. `moment` converts minutes from now to a moment. */
export function membershipChanges(
  { joinedAt, endsAt, pause }: Membership,
  moment: (minutes: number) => string,
): Change[] {
  const month = demoMembershipDays * 1440
  const ends = [endsAt]
  for (let end = endsAt - month; end > joinedAt; end -= month) ends.unshift(end)
  const time = (minutes: number) => writeMoment(moment(minutes), {})
  const periods = ends.map((until, nth): Change => {
    const free = `It’s free in the demo, and runs until ${time(until)}.`
    return nth === 0
      ? { kind: 'granted', at: joinedAt, until, title: 'Membership started', text: free, status: 'success' }
      : {
          kind: 'renewed',
          at: until - month,
          until,
          title: 'Membership renewed',
          text: free,
          status: 'success',
        }
  })
  if (!pause) return periods
  const paused: Change = {
    kind: 'paused',
    at: pause.from,
    until: pause.until,
    title: 'Membership paused',
    text: `No offers until ${time(pause.until)}. Accepted reviews keep their deadlines.`,
    status: 'info',
  }
  return [...periods, paused].toSorted((one, other) => one.at - other.at)
}

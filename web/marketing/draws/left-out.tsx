import { useState } from 'react'
import { count } from '#contract/format.ts'
import { givingCap } from '#contract/matching-rules.ts'
import type { DrawPlace } from '#contract/matching.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { buttonLook } from '#web/kit/ui/button.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'
import { paths } from '#web/paths.ts'
import { broken, Failed } from './failed.tsx'
import { Steps, VerdictCard } from './report-view.tsx'
import type { Checker, Failure, PassReport } from './report.ts'

type LeftOutProps = { checker: Checker | null; signedIn: boolean }

type Found =
  | { of: 'nothing' }
  | { of: 'busy' }
  | { of: 'failure'; failure: Failure }
  | { of: 'place'; place: DrawPlace | null }

/** My number and place in the draws of the last day, and a check of each of them. */
export function LeftOut({ checker, signedIn }: LeftOutProps) {
  const [found, setFound] = useState<Found>({ of: 'nothing' })

  function look() {
    if (!checker || found.of === 'busy') return
    setFound({ of: 'busy' })
    checker.findOwnPlace().then(
      (place) =>
        setFound(place && 'title' in place ? { of: 'failure', failure: place } : { of: 'place', place }),
      () => setFound({ of: 'failure', failure: broken }),
    )
  }

  return (
    <section id="left-out" aria-labelledby="left-out-title" className="mt-14 border-t border-line pt-12">
      <h2 id="left-out-title" className="text-28 font-semibold text-ink">
        Was I left out?
      </h2>
      <p className="mt-3 max-w-[62ch] text-16 text-pretty text-ink-2">
        A receipt can’t show that a member is missing from a list: only that member can see it. Each list ends
        at a cut-off. Everyone who could be asked and came before it has to be in the list, unless another
        draw of the same moment has them.
      </p>
      <div aria-live="polite" className="mt-5">
        {!signedIn ? (
          <LinkButton href={paths.signIn({ returnTo: `${paths.drawCheck()}#left-out` })}>
            Sign in to look for your number
          </LinkButton>
        ) : found.of === 'place' ? (
          found.place ? (
            <OwnPlace place={found.place} checker={checker} />
          ) : (
            <Alert title="You aren’t in the rotation">
              Members are in it once their account is confirmed and their membership is active.
            </Alert>
          )
        ) : (
          <>
            {found.of === 'failure' ? <Failed failure={found.failure} /> : null}
            <button
              type="button"
              aria-disabled={found.of === 'busy' || undefined}
              className={buttonLook('secondary', 'lg')}
              onClick={look}
            >
              {found.of === 'busy' ? <Spinner /> : null}
              {found.of === 'failure' ? 'Try again' : 'Look for my number'}
            </button>
          </>
        )}
      </div>
    </section>
  )
}

const asked: Record<DrawPlace['asked'], string> = {
  present: 'as a member who is online',
  absent: 'as a member who is away',
  standby: 'as a stand-by',
  not: 'not for a further product at the moment',
}

/** The highest group of those who may take a request that was just made (server/matching/candidates.ts). */
const lastGroup = 3 + givingCap

function askedAs({ asked: as, band }: DrawPlace) {
  if (as === 'not' || band <= lastGroup) return asked[as]
  return 'for requests that have waited for long: you’ve given as far ahead as you can'
}

function OwnPlace({ place, checker }: { place: DrawPlace; checker: Checker | null }) {
  const facts = [
    { name: 'Your number this week', value: place.number, mono: true },
    { name: 'It changes', value: moments.format(new Date(place.weekEndsAt)) },
    { name: 'You can be asked', value: askedAs(place) },
    { name: 'Your group', value: String(place.band + 1) },
    { name: 'Waiting for your turn since', value: moments.format(new Date(place.turnAt)) },
  ]
  return (
    <>
      <dl className="grid gap-x-8 gap-y-3 rounded-12 border border-line bg-surface p-5 sm:grid-cols-2 sm:p-6">
        {facts.map(({ name, value, mono }) => (
          <div key={name} className="min-w-0">
            <dt className="text-13 text-ink-2">{name}</dt>
            <dd className={mono ? 'font-mono text-14 break-all text-ink' : 'text-14 text-ink'}>{value}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-8 text-18 font-semibold text-ink">The latest draws</h3>
      <p className="mt-1 max-w-[62ch] text-14 text-pretty text-ink-2">
        You aren’t in a list while you have an open offer, are on cooldown or resting, have reached a limit,
        or are paused. While a review of yours is overdue, you’re in it but can’t be drawn. Members who owe
        more are in a lower group. You can open twelve lists a day.
      </p>
      {place.passes.length === 0 ? (
        <p
          className={
            'mt-4 rounded-10 border border-dashed border-line-strong ' +
            'px-5 py-6 text-center text-14 text-ink-2'
          }
        >
          No draw was held in the last 24 hours.
        </p>
      ) : (
        <ul className="mt-4 divide-y divide-line rounded-12 border border-line bg-surface">
          {place.passes.map((pass) => (
            <Pass key={pass.id} pass={pass} place={place} checker={checker} />
          ))}
        </ul>
      )}
    </>
  )
}

type PassProps = { pass: DrawPlace['passes'][number]; place: DrawPlace; checker: Checker | null }

const among = { present: 'online', absent: 'away', standby: 'on stand-by' }

const whys = { joined_later: 'You joined later.', had_offer: 'You had an open offer.' }

function notListed({ why }: PassProps['pass']) {
  return why ? whys[why] : 'You aren’t in the list.'
}

function Pass({ pass, place, checker }: PassProps) {
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<PassReport | Failure | null>(null)
  const at = moments.format(new Date(pass.at))

  async function check() {
    if (!checker || busy) return
    setBusy(true)
    setResult(await checker.checkPass(pass, place).catch(() => broken))
    setBusy(false)
  }

  return (
    <li className="px-4 py-4 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <p className="text-14 font-medium text-ink">
            <time dateTime={pass.at}>{at}</time>
          </p>
          <p className="text-13 text-ink-2">
            {count(pass.candidates, 'member')} {among[pass.asked]}.{' '}
            {pass.place === null ? notListed(pass) : `You are at place ${pass.place}.`}
          </p>
        </div>
        <button
          type="button"
          aria-disabled={busy || undefined}
          aria-label={`Check the draw of ${at}`}
          className={buttonLook('secondary', 'md')}
          onClick={() => void check()}
        >
          {busy ? <Spinner /> : null}
          Check
        </button>
      </div>
      {result === null ? null : 'steps' in result ? (
        <div className="mt-4">
          <VerdictCard verdict={result.verdict} />
          <Steps steps={result.steps} />
        </div>
      ) : (
        <Alert tone="danger" title={result.title} announce={false} className="mt-4">
          {result.text}
        </Alert>
      )}
    </li>
  )
}

const moments = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long' })

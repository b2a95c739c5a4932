import type { ReactNode } from 'react'
import { beaconSeconds, slate } from '#contract/matching-rules.ts'
import type { PageGiven } from '#contract/pages.ts'
import { figureDays, figureMinimum } from '#contract/site.ts'
import type { PublicStatistics } from '#contract/site.ts'
import { figureMethods } from '#contract/figure-methods.ts'
import { minutes, number, percent } from '#contract/format.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { fact } from '#web/marketing/fact.ts'
import { Decisions } from './fairness-decisions.tsx'
import { Explained, FigureCard, NotYet, Shares, Spread } from './fairness-figures.tsx'
import { OpenMetricsSection } from './open-metrics.tsx'
import { countOf, formatHours, onlyShare, tooSmall } from './labels.ts'
import { PageBand, PageHead } from '#web/marketing/frame/page-head.tsx'
import { formatMoment } from '#web/marketing/status/labels.ts'

/** The club's public statistics, and how the draw works. */
export function FairnessPage({ figures, demo, beacon = false }: PageGiven) {
  return (
    <>
      <PageHead
        title="Fairness"
        lead={
          'We measure the club and publish what we find, good or bad. No number shows who a member is or ' +
          'which product it was.'
        }
      >
        {figures?.measuredAt ? (
          <p className="mt-4 text-14 text-ink-3">
            {demo ? 'This demo club’s members are made up. ' : null}
            Measured <time dateTime={figures.measuredAt}>{formatMoment(figures.measuredAt)}</time> and updated
            every ten minutes.
          </p>
        ) : null}
      </PageHead>
      {figures ? <Figures figures={figures} /> : <Unread />}
      <Draw demo={demo} beacon={beacon} />
    </>
  )
}

function Figures({ figures }: { figures: PublicStatistics }) {
  const { members, exchanges, waiting, offers, deadlines, ledger, spread } = figures
  const small = members === null
  const missing = (what: string, minimum: number) =>
    small ? tooSmall : `Shown once there are ${minimum} ${what} in ${figureDays} days.`
  return (
    <>
      <PageBand>
        {small ? (
          <p
            className={cx(
              'mb-6 rounded-10 border border-line bg-sunken px-5',
              'py-4 text-16 text-pretty text-ink-2',
            )}
          >
            The club is still small. With fewer than {figureMinimum.members} members, numbers say more about
            chance and about individual members than about the club, so we don’t show any yet.
          </p>
        ) : null}
        <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
          <FigureCard
            title="Members taking part"
            value={members === null ? null : number(members)}
            hidden={tooSmall}
            method={figureMethods.members}
          />
          <FigureCard
            title="Reviews exchanged"
            value={exchanges && countOf(exchanges.lastDays)}
            unit={`in ${figureDays} days`}
            hidden={small ? tooSmall : `Shown once there are ${figureMinimum.exchanges} exchanges.`}
            method={
              exchanges
                ? `${figureMethods.exchanges} ${number(exchanges.ever)} since the club began.`
                : figureMethods.exchanges
            }
          />
          <FigureCard
            title="Waiting for a reviewer"
            value={waiting && formatHours(waiting.medianHours)}
            unit="for half of the requests"
            hidden={missing('accepted requests', figureMinimum.exchanges)}
            method={
              waiting
                ? 'From request to acceptance, without time on hold. Nine out of ten waited at most ' +
                  `${formatHours(waiting.ninetiethHours)}. Based on ${number(waiting.requests)} ` +
                  `requests from the last ${figureDays} days. Waiting now, and not counted yet: ` +
                  `${countOf(waiting.waitingNow)}.`
                : figureMethods.waiting
            }
          />
          <FigureCard
            title="Offers"
            value={offers && percent(offers.acceptedShare)}
            unit="accepted"
            hidden={missing('answered or expired offers', figureMinimum.offers)}
            method={
              figureMethods.offers +
              (offers?.perAcceptance
                ? ` ${offers.perAcceptance.toFixed(1)} offers for each acceptance.`
                : '') +
              (offers && !offers.counts ? onlyShare : '')
            }
          >
            {offers?.counts ? (
              <Shares
                label="Offers by how they ended"
                parts={[
                  { name: 'Accepted', count: offers.counts.accepted, look: 'bg-accent' },
                  { name: 'Declined', count: offers.counts.declined, look: 'bg-line-strong' },
                  { name: 'Expired', count: offers.counts.expired, look: 'bg-warning' },
                ]}
              />
            ) : null}
          </FigureCard>
          <FigureCard
            title="Deadlines"
            value={deadlines && percent(deadlines.onTimeShare)}
            unit="submitted on time"
            hidden={missing('ended reviews', figureMinimum.reviews)}
            method={figureMethods.deadlines + (deadlines && !deadlines.counts ? onlyShare : '')}
          >
            {deadlines?.counts ? (
              <Shares
                label="Reviews by deadline"
                parts={[
                  { name: 'On time', count: deadlines.counts.onTime, look: 'bg-accent' },
                  { name: 'Late', count: deadlines.counts.late, look: 'bg-line-strong' },
                  { name: 'Never', count: deadlines.counts.missed, look: 'bg-warning' },
                ]}
              />
            ) : null}
          </FigureCard>
          <FigureCard
            title="Sum of the ledger"
            value={ledger && number(ledger.sum)}
            unit={ledger && ledger.sum === 0 ? 'as it must be' : 'which is our mistake'}
            hidden={small ? tooSmall : `Shown once there are ${figureMinimum.exchanges} exchanges.`}
            method={
              ledger
                ? `${number(ledger.given)} entries for reviews given, ${countOf(ledger.received)} ` +
                  `for reviews received, ${countOf(ledger.settled)} between members and the ` +
                  'club: for those who left or came back, for corrections, and after appeals.'
                : 'Every review given adds one. Every review received takes one away.'
            }
          />
        </div>
      </PageBand>
      <PageBand className="mt-14 sm:mt-20">
        <Explained
          title="Given and received"
          text={<p>Most members should be within one review of even. {figureMethods.spread}</p>}
        >
          {spread ? <Spread spread={spread} /> : <NotYet>{tooSmall}</NotYet>}
        </Explained>
      </PageBand>
      <OpenMetricsSection open={figures.open} />
      <Decisions figures={figures} />
    </>
  )
}

function Unread() {
  return (
    <PageBand>
      <p className="rounded-10 border border-line bg-sunken px-5 py-4 text-16 text-ink-2">
        We can’t load the statistics right now. Please reload the page in a few minutes.
      </p>
    </PageBand>
  )
}

function Draw({ demo, beacon }: { demo: boolean; beacon: boolean }) {
  const start = demo ? 1 : slate.start
  const share = percent(start)
  return (
    <PageBand className="mt-16 border-t border-line py-16 sm:mt-20 sm:py-20">
      <h2 className="text-28 font-semibold text-ink">How the draw works</h2>
      <p className="mt-3 max-w-[62ch] text-16 text-pretty text-ink-2 sm:text-18">
        Whenever a request is waiting and a member can be asked, the club runs a draw. It follows these steps,
        with every detail in <TextLink href={paths.rules()}>the rules</TextLink>, and looks at nothing else:
        no stars and no review text.
      </p>
      <ol className="mt-10 grid gap-x-12 gap-y-8 md:grid-cols-2">
        <Step number={1} title="The oldest request first">
          Requests are served in the order they came in. If you gave a review in the last {fact('activeTime')}
          , your request counts as {fact('activeBonus')} older. No request can jump ahead by more than that.
        </Step>
        <Step number={2} title="Who can be asked">
          Not the seller, and not members who have an open offer, are on cooldown, have reached a limit or
          have reviewed the product. Two members who recently had an exchange aren’t matched again, in either
          direction.
        </Step>
        <Step number={3} title="Members online come first">
          Members who are online are asked first. They usually have {fact('offerTimePresent')}. Members who
          are away are asked too after {fact('absentAfter')}, and have {fact('offerTimeAbsent')}.
        </Step>
        <Step number={4} title="Then members who owe a review">
          Among those, members who have received more than they’ve given, counting what’s in progress, come
          before members who are even. Among equals, those who have waited longest for an offer are next in
          line. Once you’re one review ahead, you get offers again when a review for you is submitted.
        </Step>
        <Step number={5} title="Then chance decides">
          {start < 1 ? (
            <>
              A lottery decides between the next in line. A new request is open to a random {share} of the
              club. That share doubles every {minutes(slate.doublingMinutes)} until it’s everyone, so two
              friends can’t find each other by being online at the right moment.
            </>
          ) : (
            <>
              A lottery decides between the next in line. In this demo club it includes everyone right away.
              In a large club, a new request is open to a random {percent(slate.start)} at first.
            </>
          )}
        </Step>
        <Step number={6} title="A record that shows tampering">
          The secret that decides the lottery is fixed a day ahead. We record each draw with everyone who took
          part in it, and link it to the one before.
          {beacon
            ? ' A random value of a public beacon, which no one knows when a request is made, is mixed ' +
              `in. If it doesn’t come within ${beaconSeconds.wait} seconds, ` +
              'the draw goes on without it, and the receipt says so.'
            : null}
        </Step>
      </ol>
      <CheckYourself />
      <p className="mt-10 text-16 text-ink-2">
        For every limit, weight and deadline, see <TextLink href={paths.rules()}>the rules</TextLink>.
      </p>
    </PageBand>
  )
}

function CheckYourself() {
  return (
    <div id="check" className="mt-12 rounded-12 border border-line bg-surface p-6 sm:p-8">
      <h3 className="text-22 font-semibold text-ink">Check it yourself</h3>
      <p className="mt-2 max-w-[62ch] text-16 text-pretty text-ink-2">
        You don’t have to believe us. Every request and every offer has a receipt, and everything that a draw
        depends on is published after its day. Your own browser computes the draw again, or a script does on
        your computer.
      </p>
      <p className="mt-5 flex flex-wrap gap-3">
        <LinkButton href={paths.drawCheck()} variant="primary">
          Check a draw
        </LinkButton>
        <LinkButton href={paths.drawDays()}>The days of the draw</LinkButton>
        <LinkButton href={`${paths.drawCheck()}#left-out`}>Was I left out?</LinkButton>
      </p>
    </div>
  )
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li>
      <h3 className="flex items-baseline gap-2.5 text-18 font-semibold text-ink">
        <span className="tabular text-accent-ink">{number}</span>
        {title}
      </h3>
      <p className="mt-1.5 text-16 text-pretty text-ink-2">{children}</p>
    </li>
  )
}

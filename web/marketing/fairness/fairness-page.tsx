import type { ReactNode } from 'react'
import { slate } from '#contract/matching.ts'
import type { PageGiven } from '#contract/pages.ts'
import { figureDays, figureMinimum } from '#contract/site.ts'
import type { PublicStatistics } from '#contract/site.ts'
import { minutes, number, percent } from '#contract/format.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { fact } from '#web/marketing/fact.ts'
import { FigureCard, Shares, Spread } from './fairness-figures.tsx'
import { StarsTable } from './fairness-stars.tsx'
import { formatHours, share } from './labels.ts'
import { PageBand, PageHead } from '#web/marketing/frame/page-head.tsx'
import { formatMoment } from '#web/marketing/status/labels.ts'

/** What the club measures of itself, and how its draw works, in plain words. */
export function FairnessPage({ figures, demo }: PageGiven) {
  return (
    <>
      <PageHead
        title="Fairness"
        lead="The club measures itself and shows what it finds, good or bad. No figure is of one member or one product."
      >
        {figures?.measuredAt ? (
          <p className="mt-4 text-14 text-ink-3">
            {demo ? 'Of this demo club, whose members are made up. ' : null}
            Measured <time dateTime={figures.measuredAt}>{formatMoment(figures.measuredAt)}</time>, again
            every ten minutes.
          </p>
        ) : null}
      </PageHead>
      {figures ? <Figures figures={figures} /> : <Unread />}
      <Draw demo={demo} />
    </>
  )
}

function Figures({ figures }: { figures: PublicStatistics }) {
  const { members, exchanges, waiting, offers, deadlines, byStars, ledger, spread } = figures
  const small = members === null
  const missing = (what: string, minimum: number) =>
    small ? tooSmall : `Shown from ${minimum} ${what} in ${figureDays} days on.`
  return (
    <>
      <PageBand>
        {small ? (
          <p className="mb-6 rounded-10 border border-line bg-sunken px-5 py-4 text-16 text-pretty text-ink-2">
            The club is small still. With fewer than {figureMinimum.members} members a figure says more about
            chance, and about single people, than about the club, so none is shown yet.
          </p>
        ) : null}
        <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
          <FigureCard
            title="Members taking part"
            value={members === null ? null : number(members)}
            hidden={tooSmall}
            method="Confirmed, with an active membership, neither paused nor suspended, at this moment."
          />
          <FigureCard
            title="Reviews exchanged"
            value={exchanges && number(exchanges.lastDays)}
            unit={`in ${figureDays} days`}
            hidden={small ? tooSmall : `Shown from ${figureMinimum.exchanges} exchanges on.`}
            method={`Requests whose review was verified.${exchanges ? ` ${number(exchanges.ever)} since the club began.` : ''}`}
          />
          <FigureCard
            title="Waiting for a reviewer"
            value={waiting && formatHours(waiting.medianHours)}
            unit="for half of the requests"
            hidden={missing('accepted requests', figureMinimum.exchanges)}
            method={
              waiting
                ? `From asking to acceptance. Nine of ten waited at most ${formatHours(waiting.ninetiethHours)}. ${number(waiting.requests)} requests of the last ${figureDays} days; ${number(waiting.waitingNow)} wait now and are not counted yet.`
                : 'From asking to acceptance: the middle, and what nine of ten waited at most.'
            }
          />
          <FigureCard
            title="Offers"
            value={offers && share(offers.accepted, sum(offers))}
            unit="are accepted"
            hidden={missing('answered or expired offers', figureMinimum.offers)}
            method={`Offers that ended in ${figureDays} days. Withdrawn ones are not counted.`}
          >
            {offers ? (
              <Shares
                label="Offers by how they ended"
                parts={[
                  { name: 'Accepted', count: offers.accepted, look: 'bg-accent' },
                  { name: 'Declined', count: offers.declined, look: 'bg-line-strong' },
                  { name: 'Expired', count: offers.expired, look: 'bg-warning' },
                ]}
              />
            ) : null}
          </FigureCard>
          <FigureCard
            title="Deadlines"
            value={deadlines && share(deadlines.onTime, sum(deadlines))}
            unit="handed in on time"
            hidden={missing('ended reviews', figureMinimum.reviews)}
            method={`Bought within ${fact('purchaseTime')} and handed in within ${fact('reviewTime')}, of the reviews that ended in ${figureDays} days.`}
          >
            {deadlines ? (
              <Shares
                label="Reviews by deadline"
                parts={[
                  { name: 'On time', count: deadlines.onTime, look: 'bg-accent' },
                  { name: 'Late', count: deadlines.late, look: 'bg-line-strong' },
                  { name: 'Never', count: deadlines.missed, look: 'bg-warning' },
                ]}
              />
            ) : null}
          </FigureCard>
          <FigureCard
            title="Sum of the ledger"
            value={ledger && number(ledger.sum)}
            unit={ledger && ledger.sum === 0 ? 'as it must be' : 'which is a fault of ours'}
            hidden={small ? tooSmall : `Shown from ${figureMinimum.exchanges} exchanges on.`}
            method={
              ledger
                ? `${number(ledger.given)} entries for a review given, ${number(ledger.received)} against one received, ${number(ledger.settled)} settled when somebody left.`
                : 'Every review given is one entry for, every review received one against.'
            }
          />
        </div>
      </PageBand>
      <PageBand className="mt-14 sm:mt-20">
        <div className="grid gap-x-20 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <Aside title="Given and received">
            <p>
              Most members should stand within one review of even. Each column counts those who take part, by
              what they gave less what they received.
            </p>
          </Aside>
          {spread ? <Spread spread={spread} /> : <NotYet>{tooSmall}</NotYet>}
        </div>
      </PageBand>
      <PageBand className="mt-14 sm:mt-20">
        <div className="grid gap-x-20 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <Aside title="Returns, by stars">
            <p>
              A seller may send a review back once, for a stated fact and never for its opinion. If low
              ratings were returned more often than high ones, it would show here.
            </p>
            <p>
              Every final review since the club began counts, by the stars it was first handed in with. A row
              appears with {figureMinimum.reviewsOfOneRating} reviews.
            </p>
          </Aside>
          {byStars ? (
            <StarsTable rows={byStars} />
          ) : (
            <NotYet>{small ? tooSmall : `Shown from ${figureMinimum.reviews} final reviews on.`}</NotYet>
          )}
        </div>
      </PageBand>
    </>
  )
}

const tooSmall = `Shown from ${figureMinimum.members} members on.`

function sum(counts: Record<string, number>) {
  return Object.values(counts).reduce((all, count) => all + count, 0)
}

function Aside({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="text-22 font-semibold text-ink">{title}</h2>
      <div className="mt-3 space-y-3 text-16 text-pretty text-ink-2">{children}</div>
    </div>
  )
}

function NotYet({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-40 flex-col items-center justify-center rounded-12 border border-dashed border-line-strong px-6 py-8 text-center">
      <p className="text-16 font-medium text-ink">Not enough yet</p>
      <p className="mt-1 text-14 text-ink-2">{children}</p>
    </div>
  )
}

function Unread() {
  return (
    <PageBand>
      <p className="rounded-10 border border-line bg-sunken px-5 py-4 text-16 text-ink-2">
        The figures cannot be read at the moment. Load the page again in a while.
      </p>
    </PageBand>
  )
}

function Draw({ demo }: { demo: boolean }) {
  const start = demo ? 1 : slate.start
  return (
    <PageBand className="mt-16 border-t border-line py-16 sm:mt-20 sm:py-20">
      <h2 className="text-28 font-semibold text-ink">How the draw works</h2>
      <p className="mt-3 max-w-[62ch] text-16 text-pretty text-ink-2 sm:text-18">
        Whenever a request waits and somebody may be asked, the club draws. It runs by these steps and reads
        nothing else: not the stars, not the words of a review, not how long somebody has paid.
      </p>
      <ol className="mt-10 grid gap-x-12 gap-y-8 md:grid-cols-2">
        <Step number={1} title="The oldest request first">
          Requests stand in the order in which they came. Sellers who gave a review in the last{' '}
          {fact('activeTime')} count as {fact('activeBonus')} earlier, which is the most anybody can be
          overtaken by.
        </Step>
        <Step number={2} title="Who may be asked">
          Not the seller, nobody with an open offer or a cooldown, nobody at a limit, nobody who has reviewed
          the product, and no two who have met within the club’s window: a pair meets once, in one direction.
        </Step>
        <Step number={3} title="Who is here comes first">
          Members who are present are asked first, with {fact('offerTimePresent')} to answer. Those who are
          away come in after {fact('absentAfter')}, with {fact('offerTimeAbsent')}.
        </Step>
        <Step number={4} title="Then who owes">
          Among them, those who received more than they gave come before those who are even, and then whoever
          has waited longest for an offer. At one review ahead you are asked again once you have received one.
        </Step>
        <Step number={5} title="Then chance">
          {start < 1 ? (
            <>
              A young request is open to a random {percent(start)} of the club. That share doubles every{' '}
              {minutes(slate.doublingMinutes)} until it is everybody, so being online at the right moment does
              not help two friends to find each other.
            </>
          ) : (
            <>
              Among equals a lottery decides. In this demo club everybody stands in it at once; in a large
              club a young request is open to a random {percent(slate.start)} at first.
            </>
          )}
        </Step>
        <Step number={6} title="A record that cannot be bent">
          The secret that decides is fixed a day ahead. Each draw is kept with everybody who stood in it, and
          chained to the one before.
        </Step>
      </ol>
      <p className="mt-10 text-16 text-ink-2">
        Every limit, weight and deadline with its figure: <TextLink href={paths.rules()}>the rules</TextLink>.
      </p>
    </PageBand>
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

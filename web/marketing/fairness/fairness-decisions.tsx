import { figureMethods } from '#contract/figure-methods.ts'
import { number, percent } from '#contract/format.ts'
import { decisionFigureDays, figureMinimum, smallestCount } from '#contract/site.ts'
import type { PublicStatistics } from '#contract/site.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { fact } from '#web/marketing/fact.ts'
import { PageBand } from '#web/marketing/frame/page-head.tsx'
import { formatMoment } from '#web/marketing/status/labels.ts'
import { paths } from '#web/paths.ts'
import { Explained, FigureCard, NotYet, Shares } from './fairness-figures.tsx'
import { StarsTable } from './fairness-stars.tsx'
import { countOf, fewer, formatHours, onlyShare, tooSmall } from './labels.ts'

/** What our staff decides about reports: whether stars play a part, how fast, and how appeals end. */
export function Decisions({ figures }: { figures: PublicStatistics }) {
  const { byStars, decisions, appeals } = figures
  const small = figures.members === null
  return (
    <>
      <PageBand className="mt-14 sm:mt-20">
        <Explained title="Returns and removals, by stars" text={<AboutStars figures={figures} />}>
          {byStars ? (
            <StarsTable rows={byStars} />
          ) : (
            <NotYet>{small ? tooSmall : `Shown once there are ${figureMinimum.reviews} reviews.`}</NotYet>
          )}
        </Explained>
      </PageBand>
      <PageBand className="mt-14 sm:mt-20">
        <Explained
          title="Decisions and appeals"
          text={
            <>
              <p>
                We promise a decision within {fact('moderationTime')}. The time runs from the report, from the
                reviewer’s answer for a second look, and from the appeal. Decisions that a passed deadline
                makes by itself aren’t counted.
              </p>
              <p>
                Someone who had no part in a decision decides the appeal against it.{' '}
                <TextLink href={`${paths.rules()}#reports`}>The rules of reports and appeals</TextLink>
              </p>
            </>
          }
        >
          <div className="grid gap-4">
            <DecisionTimes decisions={decisions} small={small} />
            <FigureCard
              title="Appeals"
              value={appeals && countOf(appeals.overturned)}
              unit="reversed the decision"
              hidden={small ? tooSmall : `Shown once ${figureMinimum.appeals} appeals are decided.`}
              method={figureMethods.appeals}
            >
              {appeals ? (
                <p className="mt-2 text-14 text-ink-2">
                  The decision stood: <span className="tabular text-ink">{countOf(appeals.upheld)}</span>
                </p>
              ) : null}
            </FigureCard>
          </div>
        </Explained>
      </PageBand>
    </>
  )
}

function AboutStars({ figures: { byStars, starsMeasuredAt } }: { figures: PublicStatistics }) {
  return (
    <>
      <p>
        A seller can report a review for breaking a rule, never for its opinion. A person on our staff decides
        without seeing the stars. If low ratings were still returned or removed more often than high ones,
        you’d see it here.
      </p>
      <p>
        This counts every review that has ended since the club began, by the stars it was first submitted
        with. <strong className="font-medium text-ink">Returned</strong> means sent back for an edit.{' '}
        <strong className="font-medium text-ink">Removed</strong> means taken out by our staff, or not
        answered in time after a return. What an appeal reversed isn’t counted as either.
      </p>
      <p>
        A row appears once it has {figureMinimum.reviewsOfOneRating} reviews. Below {smallestCount} we say
        only “{fewer}”, and we count once a day, so that no one can read the stars of a single review here.
        {byStars && starsMeasuredAt ? (
          <>
            {' '}
            Counted <time dateTime={starsMeasuredAt}>{formatMoment(starsMeasuredAt)}</time>.
          </>
        ) : null}
      </p>
    </>
  )
}

function DecisionTimes({ decisions, small }: { decisions: PublicStatistics['decisions']; small: boolean }) {
  return (
    <FigureCard
      title="Hours to a decision"
      value={decisions && formatHours(decisions.medianHours)}
      unit="for half of the decisions"
      hidden={
        small
          ? tooSmall
          : `Shown once there are ${figureMinimum.decisions} decisions in ${decisionFigureDays} days.`
      }
      method={
        decisions
          ? `${number(decisions.made)} decisions in the last ${decisionFigureDays} days, ` +
            `${percent(decisions.inTimeShare)} of them within ${fact('moderationTime')}. Waiting for one ` +
            `now: ${countOf(decisions.waitingNow)}. Longer than ${fact('moderationTime')}: ` +
            `${countOf(decisions.overdueNow)}.${decisions.steps ? '' : onlyShare}`
          : figureMethods.decisions
      }
    >
      {decisions?.steps ? (
        <Shares
          label="Decisions by how long they took"
          parts={decisions.steps.map(({ withinHours, decisions: count }, at, steps) => ({
            name: stepName(withinHours, steps[at - 1]?.withinHours ?? null),
            count,
            look: looks[at] ?? 'bg-warning',
          }))}
        />
      ) : null}
    </FigureCard>
  )
}

const looks = ['bg-accent', 'bg-info', 'bg-line-strong', 'bg-warning']

function stepName(within: number | null, after: number | null) {
  if (within === null) return 'Later'
  return after === null ? `Within ${within} h` : `${after} to ${within} h`
}

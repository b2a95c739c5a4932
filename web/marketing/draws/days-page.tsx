import { count } from '#contract/format.ts'
import { revealHours } from '#contract/matching-rules.ts'
import type { PageGiven } from '#contract/pages.ts'
import { daysShown } from '#contract/site.ts'
import type { LatestDays } from '#contract/site.ts'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { PageBand, PageHead } from '#web/marketing/frame/page-head.tsx'
import { formatMoment } from '#web/marketing/status/labels.ts'
import { paths } from '#web/paths.ts'

/** The public list of the days: what was fixed before each, and the secret after it. */
export function DaysPage({ drawDays, demo }: PageGiven) {
  return (
    <>
      <PageHead
        title="The days of the draw"
        lead={
          'Each day’s draws depend on one secret. Its hash is published before the day, and the secret ' +
          `itself ${revealHours} hours after the day ends (UTC). ` +
          'Nothing in this list can be changed later.'
        }
      >
        <p className="mt-6 flex flex-wrap gap-3">
          <LinkButton href={paths.drawDaysFile()} download>
            The whole list as JSON
          </LinkButton>
          <LinkButton href={paths.drawCheck()}>Check a draw</LinkButton>
        </p>
      </PageHead>
      <PageBand className="pb-20 sm:pb-28">
        {!drawDays ? (
          <Empty>We can’t load the list right now. Please reload the page in a few minutes.</Empty>
        ) : drawDays.records.length === 0 ? (
          <Empty>No day is published yet. The first one appears within an hour of the club’s start.</Empty>
        ) : (
          <Days days={daysOf(drawDays)} demo={demo} />
        )}
      </PageBand>
    </>
  )
}

function Empty({ children }: { children: string }) {
  return <p className="rounded-10 border border-line bg-sunken px-5 py-4 text-16 text-ink-2">{children}</p>
}

type Day = {
  day: string
  hash: string
  committedAt: string
  revealed: { secret: string; at: string; passes: number } | null
}

/** The newest day first. A revealed record holds the secret and, after it, the number of the day's passes. */
function daysOf({ records }: LatestDays): Day[] {
  const committed = records.filter(({ kind }) => kind === 'committed')
  const revealed = new Map(records.filter(({ kind }) => kind === 'revealed').map((one) => [one.day, one]))
  return committed
    .map(({ day, at, value }) => {
      const open = revealed.get(day)
      return {
        day,
        hash: value,
        committedAt: at,
        revealed: open
          ? { secret: open.value.slice(0, 64), at: open.at, passes: Number(`0x${open.value.slice(64, 80)}`) }
          : null,
      }
    })
    .toSorted((one, other) => other.day.localeCompare(one.day))
    .slice(0, daysShown)
}

function Days({ days, demo }: { days: readonly Day[]; demo: boolean }) {
  return (
    <>
      <ul className="divide-y divide-line rounded-12 border border-line bg-surface">
        {days.map(({ day, hash, committedAt, revealed }) => (
          <li key={day} className="px-5 py-5 sm:px-6">
            <h2
              className={
                'flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 ' +
                'text-16 font-semibold text-ink'
              }
            >
              <time dateTime={day}>{dayNames.format(new Date(`${day}T00:00:00Z`))}</time>
              <span className="text-13 font-normal text-ink-2">
                {revealed ? count(revealed.passes, 'run of the draw', 'runs of the draw') : 'Still secret'}
                {' · '}
                <TextLink href={paths.drawDayFile(day)} download aria-label={`${day} as JSON`}>
                  JSON
                </TextLink>
              </span>
            </h2>
            <dl className="mt-3 grid gap-3 lg:grid-cols-2">
              <Part
                name={
                  `Hash, published ${formatMoment(committedAt)}` +
                  (committedAt < day ? '' : ', only on the day itself')
                }
                value={hash}
              />
              {revealed ? (
                <Part name={`Secret, published ${formatMoment(revealed.at)}`} value={revealed.secret} />
              ) : (
                <div>
                  <dt className="text-13 text-ink-2">Secret</dt>
                  <dd className="mt-0.5 text-13 text-ink-3">Published from {formatMoment(revealAt(day))}</dd>
                </div>
              )}
            </dl>
          </li>
        ))}
      </ul>
      <p className="mt-4 text-13 text-ink-3">
        This page shows the latest {daysShown} days. The file has every day from the first one on.
        {demo ? ' The days before this demo club was started are made up.' : null}
      </p>
    </>
  )
}

function Part({ name, value }: { name: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-13 text-ink-2">{name}</dt>
      <dd className="mt-0.5 font-mono text-12 break-all text-ink">{value}</dd>
    </div>
  )
}

function revealAt(day: string): string {
  return new Date(Date.parse(day) + (24 + revealHours) * 3_600_000).toISOString()
}

const dayNames = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

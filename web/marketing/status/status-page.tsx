import { CircleAlert, CircleCheck, CircleDashed, Plus, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PageGiven } from '#contract/pages.ts'
import { statusParts, statusRules } from '#contract/site.ts'
import type { Incident, PartState, PartStatus, Status, StatusPart } from '#contract/site.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { PageBand, PageHead } from '#web/marketing/frame/page-head.tsx'
import { StatusBars, StatusBarsLegend } from './status-bars.tsx'
import {
  areSeveral,
  formatClock,
  formatDay,
  lasted,
  formatMoment,
  noIncidents,
  overall,
  partNames,
  restored,
  stateLabels,
  uptime,
} from './labels.ts'
import type { Tone } from './labels.ts'

/** The state and history of the club's parts. It works even when they don't. */
export function StatusPage({ status }: PageGiven) {
  return (
    <>
      <PageHead
        title="Status"
        lead="We check every part of the club once a minute. This page shows the results."
      />
      {status ? <StatusReport status={status} /> : <Unread />}
      <Method />
    </>
  )
}

function StatusReport({ status }: { status: Status }) {
  const measured = status.parts.some(({ checks }) => checks > 0)
  return (
    <>
      <PageBand>
        <Overall status={status} />
      </PageBand>
      <PageBand className="pt-10 sm:pt-12">
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
          <h2 className="text-22 font-semibold text-ink">Parts</h2>
          <StatusBarsLegend />
        </div>
        <ul className="mt-5 overflow-hidden rounded-12 border border-line bg-surface">
          {status.parts.map((part) => (
            <PartRow key={part.part} part={part} />
          ))}
        </ul>
        {measured ? <DaysTable parts={status.parts} /> : null}
      </PageBand>
      <PageBand className="pt-12 sm:pt-16">
        <h2 className="text-22 font-semibold text-ink">Incidents</h2>
        <Incidents status={status} />
      </PageBand>
      <PageBand className="pt-12 sm:pt-16">
        <h2 className="text-22 font-semibold text-ink">Backups</h2>
        <p className="mt-3 max-w-reading text-16 text-pretty text-ink-2">{restored(status.restoreDrill)}</p>
      </PageBand>
    </>
  )
}

function Overall({ status }: { status: Status }) {
  const { tone, title, text } = overall(status)
  const { icon: Icon, look, ink } = tones[tone]
  return (
    <div className={cx('flex gap-4 rounded-12 border p-5 sm:p-6', look)}>
      <Icon size={28} aria-hidden="true" className={cx('mt-0.5 shrink-0', ink)} />
      <div className="min-w-0">
        <p className={cx('text-22 font-semibold', ink)}>{title}</p>
        <p className="mt-1 max-w-reading text-16 text-pretty text-ink-2">{text}</p>
        <p className="mt-2 text-13 text-ink-2">
          As of <time dateTime={status.readAt}>{formatMoment(status.readAt)}</time>. Reload the page to update
          it.
        </p>
      </div>
    </div>
  )
}

const tones: Record<Tone, { icon: typeof CircleCheck; look: string; ink: string }> = {
  success: { icon: CircleCheck, look: 'border-success-line bg-success-soft', ink: 'text-success-ink' },
  warning: { icon: TriangleAlert, look: 'border-warning-line bg-warning-soft', ink: 'text-warning-ink' },
  danger: { icon: CircleAlert, look: 'border-danger-line bg-danger-soft', ink: 'text-danger-ink' },
  neutral: { icon: CircleDashed, look: 'border-line bg-sunken', ink: 'text-ink' },
}

const toneOf: Record<PartState, Tone> = {
  operational: 'success',
  degraded: 'warning',
  down: 'danger',
  unknown: 'neutral',
}

const purposes: Record<StatusPart, string> = {
  website: 'Pages and requests',
  database: 'Everything we store',
  jobs: 'Draws, reminders and deadlines',
  mail: 'Confirmations and notifications',
  live: 'Changes on open pages',
  files: 'Pictures and receipts',
}

function PartRow({ part }: { part: PartStatus }) {
  const { icon: Icon, ink } = tones[toneOf[part.state]]
  return (
    <li
      className={cx(
        'grid gap-x-8 gap-y-4 border-line px-5 py-5 not-first:border-t',
        'sm:px-6 md:grid-cols-[15rem_minmax(0,1fr)]',
      )}
    >
      <div className="flex items-start justify-between gap-4 md:block">
        <div>
          <h3 className="text-16 font-semibold text-ink">{statusParts[part.part]}</h3>
          <p className="text-13 text-ink-2">{purposes[part.part]}</p>
        </div>
        <p className={cx('flex shrink-0 items-center gap-1.5 text-14 font-medium md:mt-2', ink)}>
          <Icon size={16} aria-hidden="true" className="shrink-0" />
          {stateLabels[part.state]}
          {part.checkedAt && part.state !== 'unknown' ? (
            <time dateTime={part.checkedAt} className="font-normal text-ink-3 max-md:sr-only">
              {formatClock(part.checkedAt)}
            </time>
          ) : null}
        </p>
      </div>
      <StatusBars part={part} />
    </li>
  )
}

/** The bars in figures, for readers who can't see or point at them. */
function DaysTable({ parts }: { parts: readonly PartStatus[] }) {
  const days = (parts[0]?.days ?? [])
    .map(({ day }, at) => ({ day, ofParts: parts.map(({ days }) => days[at]) }))
    .filter(({ ofParts }) => ofParts.some((of) => of && of.checks > 0))
    .toReversed()
  return (
    <More title="Every measured day in figures">
      <section
        aria-label="Share of checks that passed, by day and part"
        // It scrolls, so the keyboard has to reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-12 border border-line bg-surface"
      >
        <table
          className={cx(
            'w-full min-w-2xl border-separate border-spacing-0 text-right text-13 text-ink-2',
            '[&_td]:border-b [&_td]:border-line [&_td]:px-4 [&_td]:py-1.5 [&_th]:border-b',
            '[&_th]:border-line [&_th]:px-4 [&_th]:py-1.5 [&_th:first-child]:text-left',
          )}
        >
          <thead className="[&_th]:sticky [&_th]:top-0 [&_th]:bg-sunken [&_th]:font-medium [&_th]:text-ink">
            <tr>
              <th scope="col">Day (UTC)</th>
              {parts.map(({ part }) => (
                <th key={part} scope="col">
                  {statusParts[part]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="[&_th]:font-normal [&_th]:whitespace-nowrap">
            {days.map(({ day, ofParts }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                {ofParts.map((of, at) => (
                  <td key={parts[at]?.part} className={of?.failed ? 'font-semibold text-ink' : undefined}>
                    {of && uptime(of)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </More>
  )
}

const shownAtFirst = 5

function Incidents({ status: { incidents, parts } }: { status: Status }) {
  if (incidents.length === 0) return <p className="mt-3 text-16 text-ink-2">{noIncidents(parts)}</p>
  const [first, others] = [incidents.slice(0, shownAtFirst), incidents.slice(shownAtFirst)]
  return (
    <>
      <IncidentList incidents={first} />
      {others.length > 0 ? (
        <More title={`${others.length} earlier`}>
          <IncidentList incidents={others} />
        </More>
      ) : null}
    </>
  )
}

function IncidentList({ incidents }: { incidents: readonly Incident[] }) {
  return (
    <ol className="mt-4 border-t border-line">
      {incidents.map(({ parts, startedAt, endedAt }) => (
        <li
          key={startedAt}
          className={cx(
            'grid gap-x-6 gap-y-0.5 border-b border-line py-3.5',
            'sm:grid-cols-[11rem_minmax(0,1fr)_auto]',
          )}
        >
          <time dateTime={startedAt} className="text-14 text-ink-2 sm:leading-6">
            {formatMoment(startedAt)}
          </time>
          <p className="text-16 font-medium text-ink">
            {partNames(parts)} {verb(areSeveral(parts), endedAt === null)} down
          </p>
          <p className={cx('text-14 sm:leading-6', endedAt ? 'text-ink-2' : 'font-medium text-danger-ink')}>
            {endedAt ? `for ${lasted(startedAt, endedAt)}` : 'ongoing'}
          </p>
        </li>
      ))}
    </ol>
  )
}

function verb(several: boolean, now: boolean) {
  if (now) return several ? 'are' : 'is'
  return several ? 'were' : 'was'
}

/** Opens without a script. */
function More({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group mt-4">
      <summary
        className={cx(
          'inline-flex list-none items-center gap-2 rounded-4 text-14 font-medium',
          'text-ink-2 hover:text-ink [&::-webkit-details-marker]:hidden',
        )}
      >
        <Plus
          size={16}
          aria-hidden="true"
          className="text-ink-3 transition-transform duration-(--calm) group-open:rotate-45"
        />
        {title}
      </summary>
      <div className="mt-3">{children}</div>
    </details>
  )
}

function Unread() {
  return (
    <PageBand>
      <div className="flex gap-4 rounded-12 border border-line bg-sunken p-5 sm:p-6">
        <CircleDashed size={28} aria-hidden="true" className="mt-0.5 shrink-0 text-ink" />
        <div>
          <p className="text-22 font-semibold text-ink">We can’t load the results</p>
          <p className="mt-1 max-w-reading text-16 text-ink-2">
            You’re seeing this page, so the website works. Reload it in a moment for the rest.
          </p>
        </div>
      </div>
    </PageBand>
  )
}

const checks: [StatusPart, string][] = [
  ['website', 'Each web server requests a page from itself over the network, like your browser does.'],
  ['database', 'It answers a query from the web servers and from the workers.'],
  ['jobs', 'A test job has to run at once, and no other job may have waited for minutes.'],
  ['mail', 'The mail server accepts our connection, and no email has waited for minutes.'],
  ['live', 'A test change is saved, sent and received, the way changes reach open pages.'],
  ['files', 'A small file is written, read back, compared and deleted.'],
]

function Method() {
  return (
    <PageBand className="mt-16 border-t border-line py-16 sm:mt-20 sm:py-20">
      <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:gap-20">
        <div>
          <h2 className="text-22 font-semibold text-ink">How we measure</h2>
          <p className="mt-3 text-16 text-pretty text-ink-2">
            The club checks itself once a minute. A part is having trouble after one failed check and down
            after the {ordinal(statusRules.downAfter)} in a row. It’s working again after the first one that
            passes.
          </p>
          <p className="mt-3 text-16 text-pretty text-ink-2">
            Percentages count the checks we made. A minute without a check doesn’t count and shows as not
            measured. Times and days are in UTC.
          </p>
          <p className="mt-3 text-16 text-pretty text-ink-2">
            Is something broken that looks fine here? <TextLink href={paths.contact()}>Let us know.</TextLink>
          </p>
        </div>
        <dl className="border-t border-line">
          {checks.map(([part, text]) => (
            <div
              key={part}
              className="grid gap-x-6 gap-y-0.5 border-b border-line py-3.5 sm:grid-cols-[9rem_minmax(0,1fr)]"
            >
              <dt className="text-14 font-medium text-ink sm:leading-6">{statusParts[part]}</dt>
              <dd className="text-16 text-pretty text-ink-2">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </PageBand>
  )
}

function ordinal(count: number) {
  return { 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth' }[count] ?? `${count}th`
}

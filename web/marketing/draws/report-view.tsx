import { Check, CircleAlert, CircleCheck, Clock, Download, Minus, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#web/kit/ui/cx.ts'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { moment } from './report.ts'
import type { DrawReport, Report, Step, StepState, Verdict } from './report.ts'
import { SlatePicture } from './slate-picture.tsx'

/** What the check found: the sum of it, the steps before the draw, and each draw with its picture. */
export function ReportView({ report, own }: { report: Report; own: boolean }) {
  const { verdict, side, request, ticket, draws } = report
  return (
    <section aria-label="Result">
      <VerdictCard verdict={verdict}>
        {own ? (
          <LinkButton
            href={paths.drawReceiptFile(request)}
            download={`evenhand-receipt-${request}.json`}
            icon={<Download aria-hidden="true" />}
            className="mt-4"
          >
            Save this receipt
          </LinkButton>
        ) : null}
      </VerdictCard>
      <h2 className="mt-10 text-22 font-semibold text-ink">Before the draw</h2>
      <p className="mt-1 text-14 text-ink-2">
        {side === 'seller'
          ? 'Did both sides commit to their random numbers before your request?'
          : 'Did both sides commit to their random numbers before the request you were offered?'}
      </p>
      <Steps steps={ticket} />
      {draws.map((draw, at) => (
        <Draw
          key={at}
          draw={draw}
          title={draws.length > 1 ? `Draw ${at + 1} of ${draws.length}` : 'The draw'}
        />
      ))}
    </section>
  )
}

function Draw({ draw: { at, steps, lottery }, title }: { draw: DrawReport; title: string }) {
  return (
    <>
      <h2 className="mt-10 text-22 font-semibold text-ink">{title}</h2>
      <p className="mt-1 text-14 text-ink-2">
        <time dateTime={at}>{moment(at)}</time>
      </p>
      {lottery ? <SlatePicture lottery={lottery} /> : null}
      <Steps steps={steps} />
    </>
  )
}

const verdictLooks = {
  holds: { icon: CircleCheck, look: 'border-success-line bg-success-soft', ink: 'text-success-ink' },
  later: { icon: Clock, look: 'border-info-line bg-info-soft', ink: 'text-info-ink' },
  fails: { icon: CircleAlert, look: 'border-danger-line bg-danger-soft', ink: 'text-danger-ink' },
}

/** The result in one sentence. */
export function VerdictCard({ verdict, children }: { verdict: Verdict; children?: ReactNode }) {
  const { icon: Icon, look, ink } = verdictLooks[verdict.state]
  return (
    <div className={cx('flex gap-4 rounded-12 border p-5 sm:p-6', look)}>
      <Icon size={24} aria-hidden="true" className={cx('mt-0.5 shrink-0', ink)} />
      <div className="min-w-0">
        <p className={cx('text-18 font-semibold', ink)}>{verdict.title}</p>
        <p className="mt-1 text-16 text-pretty text-ink-2">{verdict.text}</p>
        {children}
      </div>
    </div>
  )
}

const stepLooks: Record<StepState, { icon: typeof Check; look: string; label: string }> = {
  holds: { icon: Check, look: 'border-success-line bg-success-soft text-success-ink', label: 'Holds' },
  fails: { icon: TriangleAlert, look: 'border-danger-line bg-danger-soft text-danger-ink', label: 'Fails' },
  later: { icon: Clock, look: 'border-info-line bg-info-soft text-info-ink', label: 'Not yet' },
  unchecked: { icon: Minus, look: 'border-line bg-sunken text-ink-3', label: 'Not checked' },
}

/** The steps in their order, each with its state in words. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="mt-4 divide-y divide-line rounded-12 border border-line bg-surface">
      {steps.map((step) => (
        <StepRow key={step.name} step={step} />
      ))}
    </ol>
  )
}

function StepRow({ step: { title, state, text, values } }: { step: Step }) {
  const { icon: Icon, look, label } = stepLooks[state]
  return (
    <li className="flex gap-3.5 px-4 py-4 sm:px-6">
      <span
        aria-hidden="true"
        className={cx('mt-px flex size-6 shrink-0 items-center justify-center rounded-full border', look)}
      >
        <Icon size={14} strokeWidth={2.5} />
      </span>
      <div className="min-w-0 flex-1">
        <p className={cx('text-16 font-medium', state === 'unchecked' ? 'text-ink-3' : 'text-ink')}>
          {title}
          <span className="sr-only">: {label}</span>
        </p>
        <p className={cx('mt-0.5 text-14 text-pretty', state === 'unchecked' ? 'text-ink-3' : 'text-ink-2')}>
          {text}
        </p>
        {values.length > 0 ? (
          <dl className="mt-2 space-y-1.5">
            {values.map(({ name, value, href }) => (
              <div key={name}>
                <dt className="text-12 text-ink-3">{name}</dt>
                <dd className="font-mono text-12 break-all text-ink-2">
                  {href ? (
                    <TextLink href={href} external>
                      {value}
                    </TextLink>
                  ) : (
                    value
                  )}
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
      </div>
    </li>
  )
}

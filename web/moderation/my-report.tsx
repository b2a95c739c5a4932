import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readRule, reportStates } from '#contract/moderation.ts'
import type { Report, ReportState } from '#contract/moderation.ts'
import { api } from '#web/api.ts'
import { formatDateTime, formatUntil, useServerNow } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import type { BadgeTone } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'

const tones: Record<ReportState, BadgeTone> = {
  open: 'warning',
  again: 'warning',
  returned: 'success',
  upheld: 'success',
  reversed: 'neutral',
  dismissed: 'neutral',
  unfounded: 'danger',
  withdrawn: 'neutral',
  ended: 'neutral',
}

/** A report of mine and how it stands, with the way to withdraw it while it is open. */
export function MyReport({ report }: { report: Report }) {
  const { state, reason, subject, createdAt, explanation, findings, decidedAt } = report
  return (
    <div className="flex flex-col gap-2 text-14">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[state]} dot>
          {reportStates[state].label}
        </Badge>
        <span className="font-medium text-ink">{readRule(subject, reason).reason}</span>
      </div>
      <p className="text-ink-2">
        {reportStates[state].text} <TimeLeft report={report} />
      </p>
      {findings && (state === 'dismissed' || state === 'unfounded') ? (
        <p className="text-13 wrap-anywhere whitespace-pre-line text-ink-2">What we found: {findings}</p>
      ) : null}
      <p className="text-13 wrap-anywhere whitespace-pre-line text-ink-3">
        You wrote on {formatDateTime(createdAt)}: “{explanation}”
        {decidedAt && state !== 'open' ? ` Decided on ${formatDateTime(decidedAt)}.` : null}
      </p>
      <div className="flex flex-wrap gap-2">
        {report.decisionId ? (
          <LinkButton size="sm" href={paths.decision(report.decisionId)}>
            Read the decision
          </LinkButton>
        ) : null}
        {report.mayWithdraw ? <Withdraw reportId={report.id} /> : null}
      </div>
    </div>
  )
}

function TimeLeft({ report: { dueAt, state } }: { report: Report }) {
  const now = useServerNow()
  if (dueAt === null || (state !== 'open' && state !== 'again')) return null
  const late = Date.parse(dueAt) <= now
  return (
    <time dateTime={dueAt} className={late ? 'text-warning-ink' : 'text-ink-3'}>
      {late
        ? 'This is taking longer than it should. Yours is near the front of the line.'
        : `Decision ${formatUntil(dueAt, now)}.`}
    </time>
  )
}

function Withdraw({ reportId }: { reportId: string }) {
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const withdraw = useMutation(api.moderation.withdrawReport.mutationOptions())
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        Withdraw report
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Withdraw this report?"
        description={
          'Our staff stops looking at it. A review that isn’t final waits for your check again, with the ' +
          'time you had left.'
        }
        confirmLabel="Withdraw report"
        busyLabel="Withdrawing..."
        tone="primary"
        onConfirm={async () => {
          await withdraw.mutateAsync({ id: reportId })
          await Promise.all(
            [api.moderation.key(), api.reviews.key()].map((queryKey) =>
              queries.invalidateQueries({ queryKey }),
            ),
          )
          toast({ title: 'Report withdrawn' })
        }}
      />
    </>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { days } from '#contract/format.ts'
import { reportDays, reportStates } from '#contract/moderation.ts'
import { reviewRules } from '#contract/reviews.ts'
import type { ReceivedReview, ReviewRule } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { MyReport } from './my-report.tsx'
import { ReportDialog } from './report-dialog.tsx'

const rules = Object.keys(reviewRules) as ReviewRule[] // Its keys are the rules.

/** Reports about a review of my product: those I made, and a new one while I may still make one. */
export function ReceivedReviewReport({ review }: { review: ReceivedReview }) {
  const reports = useQuery(
    api.moderation.listReports.queryOptions({ input: { reviewId: review.id, limit: 10 } }),
  )
  const mine = reports.data?.items.filter(({ subject }) => subject === 'review') ?? []
  const mayReport = review.reportableUntil !== null && !mine.some(({ state }) => isOpen(state))
  if (reports.isError && !reports.data) {
    return (
      <Card title="Reports">
        <ErrorState
          title="Your reports could not be loaded"
          onRetry={() => void reports.refetch()}
          error={reports.error}
        />
      </Card>
    )
  }
  if (mine.length === 0 && !mayReport) return null
  return (
    <Card
      title={mine.length > 0 ? 'Your report' : 'Does it break a rule?'}
      help={
        mayReport && review.reportableUntil
          ? review.status === 'verified'
            ? `You can report it until ${formatDateTime(review.reportableUntil)}. A person decides.`
            : `You can report it now, and for ${days(reportDays)} once it’s final. A person decides.`
          : undefined
      }
    >
      <div className="flex flex-col gap-5">
        {mine.map((report) => (
          <MyReport key={report.id} report={report} />
        ))}
        {mayReport ? <ReportReview review={review} /> : null}
      </div>
    </Card>
  )
}

function isOpen(state: string) {
  return state === 'open' || state === 'again'
}

function ReportReview({ review }: { review: ReceivedReview }) {
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  const reasons = rules
    .filter((rule) => rule !== 'not_visible' || review.lane === 'public')
    .map((rule) => ({ value: rule, label: reviewRules[rule].reason }))
  return (
    <div>
      <Button onClick={() => setOpen(true)}>Report this review</Button>
      <ReportDialog
        open={open}
        onOpenChange={setOpen}
        title="Report this review"
        reasons={reasons}
        draft={`review:${review.id}`}
        onReport={async (report) => {
          await client.moderation.reportReview({ id: review.id, ...report })
          toast({ title: 'Report sent', description: reportStates.open.text, tone: 'success' })
          await Promise.all(
            [api.moderation.key(), api.reviews.key()].map((queryKey) =>
              queries.invalidateQueries({ queryKey }),
            ),
          )
        }}
      />
    </div>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listingRules, reportStates } from '#contract/moderation.ts'
import type { ListingRule } from '#contract/moderation.ts'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { MyReport } from './my-report.tsx'
import { ReportDialog } from './report-dialog.tsx'

const reasons = (Object.keys(listingRules) as ListingRule[]).map((rule) => ({
  value: rule,
  label: listingRules[rule].reason,
}))

/** For the reviewer: reports the listing of the product, and shows how the report stands. */
export function ListingReport({ review }: { review: ReviewWorkspace }) {
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  const { data } = useQuery(
    api.moderation.listReports.queryOptions({ input: { reviewId: review.id, limit: 10 } }),
  )
  const [mine] = data?.items.filter(({ subject }) => subject === 'listing') ?? []
  if (mine) return <MyReport report={mine} />
  return (
    <div>
      <Button size="sm" onClick={() => setOpen(true)}>
        Report this listing
      </Button>
      <ReportDialog
        open={open}
        onOpenChange={setOpen}
        title="Report this listing"
        reasons={reasons}
        draft={`listing:${review.id}`}
        onReport={async (report) => {
          await client.moderation.reportListing({ id: review.id, ...report })
          toast({ title: 'Report sent', description: reportStates.open.text, tone: 'success' })
          await queries.invalidateQueries({ queryKey: api.moderation.key() })
        }}
      />
    </div>
  )
}

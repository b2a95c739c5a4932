import { Inbox, Package, Plus } from 'lucide-react'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Loading, Skeleton, SkeletonText } from '#web/kit/ui/skeleton.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { Example } from './example.tsx'

/** Badges, alerts, and empty, failed and loading states. */
export function Texts() {
  return (
    <>
      <Example name="Badge">
        <Badge>Neutral</Badge>
        <Badge tone="accent">Accent</Badge>
        <Badge tone="success">Success</Badge>
        <Badge tone="warning">Warning</Badge>
        <Badge tone="danger">Danger</Badge>
        <Badge tone="info">Info</Badge>
        <Badge icon={<Package />}>With icon</Badge>
      </Example>
      <Example name="Status badge">
        <StatusBadge status="pending" />
        <StatusBadge status="purchased" />
        <StatusBadge status="reviewed" />
        <StatusBadge status="verified" />
        <StatusBadge status="returned" />
        <StatusBadge status="lapsed" />
        <StatusBadge status="queued" />
        <StatusBadge status="in_review" />
        <StatusBadge status="cancelled" />
        <StatusBadge status="paused" />
        <StatusBadge status="open" />
        <StatusBadge status="resolved" />
      </Example>
      <Example name="Alert" column>
        <Alert title="Test payments">No card is charged in the demo club.</Alert>
        <Alert tone="success">Your review was verified.</Alert>
        <Alert
          tone="warning"
          title="Your review is due in 6 hours"
          action={<Button size="sm">Write it now</Button>}
        >
          After that the request goes back to the queue.
        </Alert>
        <Alert tone="danger" announce={false} title="The card was declined">
          Your membership stays active until Nov 30. Update the card to keep it.
        </Alert>
      </Example>
      <div className="grid gap-6 md:grid-cols-2">
        <Card padding="none">
          <EmptyState
            icon={<Inbox />}
            title="No reviews to write"
            action={
              <Button variant="primary" icon={<Plus />}>
                Add Product
              </Button>
            }
          >
            When you accept an offer, it waits here with its deadline.
          </EmptyState>
        </Card>
        <Card padding="none">
          <ErrorState
            title="Your products could not be loaded"
            onRetry={() => undefined}
            error={{ data: { reference: '4b1d8a52-7f3a-4c19-9e0d-09c15e2a7b36' } }}
          />
        </Card>
      </div>
      <Example name="Skeleton and spinner" column>
        <Loading label="Loading products" className="grid w-full gap-4 sm:grid-cols-2">
          <div className="flex gap-3">
            <Skeleton className="size-12 rounded-10" />
            <SkeletonText lines={3} className="flex-1" />
          </div>
          <div className="flex flex-col gap-3">
            <Skeleton className="h-24 w-full rounded-10" />
            <SkeletonText lines={2} />
          </div>
        </Loading>
        <p className="flex items-center gap-3 text-ink-2">
          <Spinner label="Loading" /> <Spinner size={24} />
        </p>
      </Example>
    </>
  )
}

import { BadgeCheck, Ellipsis, Package, RefreshCw, Shuffle, Star, Users } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Chart } from '#web/kit/ui/chart.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { IconButton } from '#web/kit/ui/icon-button.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { Menu } from '#web/kit/ui/menu.tsx'
import { StarRating } from '#web/kit/ui/star-rating.tsx'
import { StatCard } from '#web/kit/ui/stat-card.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import type { Status } from '#web/kit/ui/status-badge.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column, Sort } from '#web/kit/ui/table.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { Timeline, TimelineRow } from '#web/kit/ui/timeline.tsx'

type Review = {
  id: string
  product: string
  status: Status
  rating: number | null
  due: string
  words: number
}

const reviews: Review[] = [
  {
    id: '1',
    product: 'Weekly planner, printable',
    status: 'verified',
    rating: 5,
    due: '2026-11-18',
    words: 64,
  },
  {
    id: '2',
    product: 'Watercolor texture pack',
    status: 'purchased',
    rating: null,
    due: '2026-11-24',
    words: 0,
  },
  {
    id: '3',
    product: 'Bookkeeping for one: the spreadsheet',
    status: 'lapsed',
    rating: null,
    due: '2026-11-02',
    words: 12,
  },
]

const columns: Column<Review>[] = [
  {
    id: 'product',
    header: 'Product',
    sortable: true,
    cell: (row) => <span className="font-medium">{row.product}</span>,
  },
  { id: 'status', header: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
  { id: 'rating', header: 'Rating', wide: true, cell: (row) => <StarRating value={row.rating} size={14} /> },
  { id: 'words', header: 'Words', align: 'right', sortable: true, wide: true, cell: (row) => row.words },
  {
    id: 'due',
    header: 'Due',
    align: 'right',
    sortable: true,
    cell: (row) => <time dateTime={row.due}>{row.due}</time>,
  },
  {
    id: 'menu',
    header: 'More',
    quiet: true,
    align: 'right',
    width: '56px',
    cell: (row) => (
      <Menu
        trigger={<IconButton size="sm" label={`More about ${row.product}`} icon={<Ellipsis />} />}
        items={[{ label: 'View Details', href: '#kit' }]}
      />
    ),
  },
]

/** Lists: figures, tabs, activity and tables. */
export function Lists() {
  const [tab, setTab] = useState<'all' | 'reviews' | 'matching'>('all')
  const [sort, setSort] = useState<Sort>({ column: 'due', direction: 'asc' })
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <StatCard
          label="Total Products"
          value={4}
          help="Active products connected with coupon codes"
          icon={<Package />}
          trend={{ direction: 'up', label: '+2 in 30 days' }}
        />
        <StatCard
          label="Average Review Rating"
          value="4.8"
          help="Average star rating from Verified Purchases"
          icon={<Star />}
          trend={{ direction: 'down', label: '−0.1' }}
        />
        <StatCard label="Members" value={null} help="Loading" icon={<Users />} />
      </div>
      <Card padding="lg" title="Tabs and timeline">
        <Tabs
          label="Kind of activity"
          value={tab}
          onValueChange={setTab}
          tabs={[
            { value: 'all', label: 'All', count: 3 },
            { value: 'reviews', label: 'Reviews' },
            { value: 'matching', label: 'Matching' },
          ]}
        >
          <div className="-mx-5 -mb-5">
            <Timeline label="Activity">
              <TimelineRow
                icon={<BadgeCheck />}
                tone="success"
                title="Review verified"
                at="2026-11-21T09:05:00Z"
                unread
                action={
                  <LinkButton size="sm" href="#kit">
                    View
                  </LinkButton>
                }
              >
                Your review of “Watercolor texture pack” is on the marketplace as written.
              </TimelineRow>
              <TimelineRow
                icon={<Shuffle />}
                tone="accent"
                title="Matched with a reviewer"
                at="2026-11-20T16:40:00Z"
                action={<Badge tone="info">Pending</Badge>}
              >
                “Weekly planner” was drawn for a member who never reviewed you.
              </TimelineRow>
              <TimelineRow icon={<RefreshCw />} title="Membership renewed" at="2026-11-01T07:00:00Z" />
            </Timeline>
          </div>
        </Tabs>
      </Card>
      <Card title="Chart" help="Arrow keys move through the months.">
        <Chart
          label="Reviews by month"
          points={['June', 'July', 'August', 'September', 'October', 'November'].map((name) => ({
            name: `${name} 2026`,
            short: name.slice(0, 3),
          }))}
          series={[
            { name: 'Given', tone: 'accent', values: [2, 5, 3, 8, 6, 4] },
            { name: 'Received', tone: 'neutral', values: [1, 4, 4, 7, 6, 5] },
            { name: 'Returned', tone: 'warning', values: [0, 1, 0, 1, 0, 0] },
          ]}
        />
      </Card>
      <Card padding="none" title="Table" help="Sorted, with a menu in each row.">
        <Table
          caption="Reviews"
          columns={columns}
          rows={reviews.toSorted((a, b) => compare(a, b, sort))}
          rowKey={(row) => row.id}
          sort={sort}
          onSort={setSort}
        />
        <LoadMore hasMore shown={3} noun={['review', 'reviews']} onLoadMore={() => undefined} />
      </Card>
      <Card padding="none" title="Table, loading">
        <Table
          caption="Loading reviews"
          columns={columns}
          rows={undefined}
          rowKey={(row) => row.id}
          expected={2}
        />
      </Card>
      <Card padding="none" title="Table, empty">
        <Table
          caption="No reviews"
          columns={columns}
          rows={[]}
          rowKey={(row) => row.id}
          empty={{
            icon: <Star />,
            title: 'No reviews yet',
            text: 'The first one appears here when it is verified.',
          }}
        />
      </Card>
      <Card padding="none" title="Table, failing">
        <Table
          caption="Reviews of the week"
          columns={columns}
          rows={undefined}
          rowKey={(row) => row.id}
          error={new Error('The server does not answer.')}
          onRetry={() => undefined}
        />
      </Card>
    </>
  )
}

function compare(a: Review, b: Review, { column, direction }: Sort): number {
  const order =
    column === 'words'
      ? a.words - b.words
      : column === 'due'
        ? a.due.localeCompare(b.due)
        : a.product.localeCompare(b.product)
  return direction === 'asc' ? order : -order
}

import { Inbox, PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { reviewTags } from '#contract/reviews.ts'
import type { ReviewStatus } from '#contract/reviews.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { SearchField } from '#web/kit/ui/search-field.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { BalanceCard } from '#web/matching/balance-card.tsx'
import { paths } from '#web/paths.ts'
import { LedgerTab } from './lists/ledger-tab.tsx'
import { MissedReviews } from './lists/missed-reviews.tsx'
import { FinishedReviews, NothingFound, ReviewList, useReviews } from './lists/review-list.tsx'
import type { Side } from './lists/review-list.tsx'

type Search = {
  /** Which list. Undefined for the reviews to write. */
  list?: 'received' | 'ledger'
  /** Only reviews of this status. */
  state?: ReviewStatus
  /** A part of the product's title. */
  q?: string
  /** Whether the finished reviews are unfolded. */
  finished?: '1'
}

type ReviewsScreenProps = Search & { onSearch: (search: Search) => void }

/** What a member writes, the reviews of their products, and the ledger. The address holds the state. */
export function ReviewsScreen({ onSearch, ...search }: ReviewsScreenProps) {
  const { list } = search
  return (
    <Page>
      <PageHeader
        title="Reviews"
        help="Reviews you owe, and reviews you’ve received."
        action={
          <>
            <LinkButton href={paths.reviewCards()}>Review cards</LinkButton>
            <LinkButton href={paths.moderation()}>Your reports</LinkButton>
          </>
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Tabs
          label="Lists of reviews"
          tabs={[
            { value: 'mine', label: 'To write' },
            { value: 'received', label: 'Received' },
            { value: 'ledger', label: 'Ledger' },
          ]}
          value={list ?? 'mine'}
          onValueChange={(next) => onSearch(next === 'mine' ? {} : { list: next })}
        >
          {list === 'ledger' ? (
            <LedgerTab />
          ) : (
            <Lists key={list} side={list ?? 'mine'} search={search} onSearch={onSearch} />
          )}
        </Tabs>
        <div className="flex flex-col gap-6">
          <BalanceCard />
          <MissedReviews />
        </div>
      </div>
    </Page>
  )
}

type ListsProps = { side: Side; search: Search; onSearch: (search: Search) => void }

function Lists({ side, search, onSearch }: ListsProps) {
  const { list, state, q } = search
  const isFiltered = state !== undefined || q !== undefined
  const shownAll = list ? { list } : {}
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label="Search reviews"
          placeholder="Search by product..."
          value={q ?? ''}
          onSearch={(words) => onSearch({ ...search, q: words || undefined })}
        />
        <Select
          label="State"
          className="w-full sm:w-44"
          options={states}
          value={state ?? 'all'}
          onValueChange={(next) =>
            onSearch({ ...search, state: next === 'all' ? undefined : (next ?? undefined) })
          }
        />
      </div>
      {isFiltered ? (
        <Found side={side} state={state} words={q} onClear={() => onSearch(shownAll)} />
      ) : (
        <Folded
          side={side}
          open={search.finished === '1'}
          onOpen={(open) => onSearch(open ? { ...shownAll, finished: '1' } : shownAll)}
        />
      )}
    </div>
  )
}

const states = [
  { value: 'all', label: 'All states' },
  // The keys of the labels are the statuses.
  ...(Object.keys(reviewTags) as ReviewStatus[]).map((value) => ({ value, label: reviewTags[value] })),
] as const

type FoundProps = { side: Side; state?: ReviewStatus; words?: string; onClear: () => void }

function Found({ side, state, words, onClear }: FoundProps) {
  const query = useReviews(side, { state, search: words })
  return (
    <Card padding="none">
      <ReviewList query={query} side={side} name={names[side]} empty={<NothingFound onClear={onClear} />} />
    </Card>
  )
}

/** What is in progress, and below it what is finished, folded away. */
function Folded({ side, open, onOpen }: { side: Side; open: boolean; onOpen: (open: boolean) => void }) {
  const current = useReviews(side, { state: 'open' })
  const nothingOpen = current.data?.pages[0]?.items.length === 0
  // Asked only where it decides between the two empty states.
  const over = useReviews(side, { state: 'final' }, nothingOpen)
  const nothingYet = nothingOpen && over.data?.pages[0]?.items.length === 0
  return (
    <>
      <Card padding="none">
        <ReviewList
          query={current}
          side={side}
          name={names[side]}
          empty={
            nothingYet ? beginnings[side] : <p className="px-5 py-8 text-14 text-ink-2">{rests[side]}</p>
          }
        />
      </Card>
      {nothingYet ? null : <FinishedReviews side={side} open={open} onOpen={onOpen} />}
    </>
  )
}

const names = { mine: 'Your reviews', received: 'Reviews of your products' }

const rests = {
  mine: 'Nothing to write at the moment. When the rotation draws you, an offer opens on the page you’re on.',
  received: 'No review of your products is in progress at the moment.',
}

const beginnings: Record<Side, ReactNode> = {
  mine: (
    <EmptyState
      icon={<PenLine />}
      title="Nothing to write"
      action={<LinkButton href={paths.dashboard()}>Go to Dashboard</LinkButton>}
    >
      When the rotation draws you, an offer opens on the page you’re on. Once you accept it, you write the
      review here.
    </EmptyState>
  ),
  received: (
    <EmptyState
      icon={<Inbox />}
      title="No reviews yet"
      action={
        <LinkButton href={paths.assets()} variant="primary">
          My Products
        </LinkButton>
      }
    >
      Press Get Reviewed on one of your products. We’ll draw a member for it, and you can follow the review
      here.
    </EmptyState>
  ),
}

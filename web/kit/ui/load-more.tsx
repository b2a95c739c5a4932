import { Button } from './button.tsx'

type LoadMoreProps = {
  hasMore: boolean
  busy?: boolean
  onLoadMore: () => void
  /** The count and noun of the shown items: '40 reviews shown'. */
  shown: number
  noun: string
}

/** The foot of a list that loads page by page. */
export function LoadMore({ hasMore, busy = false, onLoadMore, shown, noun }: LoadMoreProps) {
  return (
    <div className="flex items-center justify-between gap-4 border-t border-line px-5 py-3">
      <output className="tabular text-13 text-ink-3">
        {shown} {noun}
        {hasMore ? ' shown' : null}
      </output>
      {hasMore ? (
        <Button size="sm" busy={busy} busyLabel="Loading..." onClick={onLoadMore}>
          Load more
        </Button>
      ) : null}
    </div>
  )
}

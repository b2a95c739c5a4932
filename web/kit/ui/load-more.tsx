import { Button } from './button.tsx'

export type Noun = readonly [one: string, more: string]

type LoadMoreProps = {
  hasMore: boolean
  busy?: boolean
  onLoadMore: () => void
  /** How many items are shown, and the noun for one and for more: '40 reviews shown'. */
  shown: number
  noun: Noun
}

/** The foot of a list that loads page by page. */
export function LoadMore({ hasMore, busy = false, onLoadMore, shown, noun }: LoadMoreProps) {
  return (
    <div className="flex items-center justify-between gap-4 border-t border-line px-5 py-3">
      <output className="tabular text-13 text-ink-3">
        {shown} {noun[shown === 1 ? 0 : 1]}
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

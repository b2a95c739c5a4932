import type { UseQueryResult } from '@tanstack/react-query'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'

/** A marketplace that could not be read. */
export function EntryMissing({ query }: { query: UseQueryResult }) {
  return (
    <Page>
      <ErrorState
        level={1}
        title="The marketplace could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
        error={query.error}
      />
    </Page>
  )
}

export function EntrySkeleton() {
  return (
    <Page>
      <h1 className="sr-only">Loading the marketplace</h1>
      <Loading label="Loading the marketplace" className="flex flex-col gap-6">
        <Skeleton className="h-7 w-52" />
        <Skeleton className="h-28 rounded-12" />
        <Skeleton className="h-80 rounded-12" />
      </Loading>
    </Page>
  )
}

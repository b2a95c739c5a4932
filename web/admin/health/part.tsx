import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatTime } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Loading, SkeletonText } from '#web/kit/ui/skeleton.tsx'

/** While the page is open, each part is read again after these milliseconds. */
export const everyMs = { part: 10_000, rotation: 30_000 }

type PartProps<Data> = {
  title: string
  help: string
  query: UseQueryResult<Data>
  action?: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * One part of the page about health, which loads and fails by itself. What was read before stays, with the
 * time at which it was read.
 */
export function Part<Data>({ title, help, query, action, children }: PartProps<Data>) {
  const { data, isError, error, isFetching, dataUpdatedAt, refetch } = query
  return (
    <Card title={title} help={help} action={action} padding="none">
      {data === undefined ? (
        isError ? (
          <ErrorState
            level={3}
            title={`${title} could not be read`}
            onRetry={() => void refetch()}
            retrying={isFetching}
            error={error}
          >
            The database may be slow or down. This part is read again automatically.
          </ErrorState>
        ) : (
          <Loading label={`Loading ${title.toLowerCase()}`} className="p-5">
            <SkeletonText lines={3} />
          </Loading>
        )
      ) : (
        <>
          {isError ? (
            <Alert
              tone="warning"
              announce
              className="m-5 mb-0"
              title="This could not be read again"
              action={
                <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
                  Try again
                </Button>
              }
            >
              The figures are from {formatTime(dataUpdatedAt)}.
            </Alert>
          ) : null}
          {children(data)}
        </>
      )}
    </Card>
  )
}

/** Figures beside each other. */
export function Figures({ figures }: { figures: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3 px-5 py-4">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt className="text-12 text-ink-2">{label}</dt>
          <dd className="tabular text-16 font-semibold text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

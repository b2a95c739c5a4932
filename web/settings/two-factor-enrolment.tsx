import { useQuery } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { TwoFactorSettings } from './security/two-factor-settings.tsx'

/** Two-factor authentication by itself, for pages that need it before they open. */
export function TwoFactorEnrolment({ onSetup }: { onSetup: (open: boolean) => void }) {
  const { data, isError, error, isFetching, refetch } = useQuery(api.signIn.getSecurity.queryOptions())
  if (data) return <TwoFactorSettings security={data} onSetup={onSetup} />
  if (isError)
    return (
      <ErrorState
        title="Your security settings could not be loaded"
        onRetry={() => void refetch()}
        retrying={isFetching}
        error={error}
      />
    )
  return (
    <Loading label="Loading your security settings">
      <Skeleton className="h-40 rounded-12" />
    </Loading>
  )
}

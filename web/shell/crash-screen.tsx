import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { isServerThere, ScreenUnreachable } from './lazy-screen.ts'

/** Replaces a page that failed to render or to load. */
export function CrashScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof ScreenUnreachable) return <Unreachable />
  return (
    <ErrorState
      level={1}
      title="This page stopped working"
      onRetry={() => {
        reset()
        void router.invalidate()
      }}
      action={<LinkButton href={paths.dashboard()}>Go to Dashboard</LinkButton>}
      error={error}
      className="min-h-[60dvh] justify-center"
    >
      This is our fault. What you saved is safe. Anything you typed here without saving may be lost.
    </ErrorState>
  )
}

/** Shown while the server does not answer. Reloads the page once it does. */
function Unreachable() {
  const { isFetching, refetch } = useQuery({
    queryKey: ['shell', 'is the server there'],
    queryFn: async () => {
      const isThere = await isServerThere()
      if (isThere) location.reload()
      return isThere
    },
    networkMode: 'always',
    refetchInterval: 5_000,
    gcTime: 0,
  })
  return (
    <ErrorState
      level={1}
      title="This page could not be loaded"
      onRetry={() => void refetch()}
      retrying={isFetching}
      error={null}
      className="min-h-[60dvh] justify-center"
    >
      Evenhand could not be reached. Check your connection. This page loads automatically once you're back
      online.
    </ErrorState>
  )
}

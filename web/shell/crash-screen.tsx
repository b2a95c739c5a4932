import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { isServerThere, ScreenUnreachable } from './lazy-screen.ts'

/** In the place of a page that broke while it was drawn, or could not be fetched. */
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
      className="min-h-[60dvh] justify-center"
    >
      The fault is ours. What you saved is safe; what was typed here and not saved may be gone.
    </ErrorState>
  )
}

/** Goes on by itself once somebody answers: the page is loaded then, at the address that was gone to. */
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
      className="min-h-[60dvh] justify-center"
    >
      Evenhand could not be reached. Check your connection: the page comes by itself once you are back.
    </ErrorState>
  )
}

import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'

/** In the place of a page that broke while it was drawn. */
export function CrashScreen({ reset }: ErrorComponentProps) {
  const router = useRouter()
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

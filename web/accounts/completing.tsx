import { AuthFrame } from '#web/kit/auth-frame.tsx'
import { OfflineBar } from '#web/kit/ui/offline-bar.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'

/** The page shown while a link is being checked. */
export function Completing() {
  return (
    <AuthFrame title="Completing authentication..." bar={<OfflineBar />}>
      <Spinner size={24} label="Completing authentication..." className="text-accent-ink" />
    </AuthFrame>
  )
}

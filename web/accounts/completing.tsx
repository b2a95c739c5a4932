import { AuthFrame } from '#web/kit/auth-frame.tsx'
import { OfflineBar } from '#web/kit/ui/offline-bar.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'

/** While it is found out what the link of a mail is worth. */
export function Completing() {
  return (
    <AuthFrame title="Completing authentication..." bar={<OfflineBar />}>
      <Spinner size={24} label="Completing authentication..." className="text-accent-ink" />
    </AuthFrame>
  )
}

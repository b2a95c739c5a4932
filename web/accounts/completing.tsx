import { AuthFrame } from '#web/kit/frames/auth-frame.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'

/** The page shown while a link is being checked. */
export function Completing() {
  return (
    <AuthFrame title="Completing authentication...">
      <Spinner size={24} label="Completing authentication..." className="text-accent-ink" />
    </AuthFrame>
  )
}

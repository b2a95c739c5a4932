import type { Me } from '#contract/members.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'

/** The notice on every page for a suspended member: why, and until when. */
export function SuspendedNotice({ suspension }: { suspension: NonNullable<Me['suspension']> }) {
  return (
    <div className="mx-auto w-full max-w-[calc(var(--content-width)+4rem)] px-4 pt-6 sm:px-8">
      <Alert
        tone="danger"
        title="Your account is suspended"
        action={
          <LinkButton size="sm" href={paths.support()}>
            Contact Support
          </LinkButton>
        }
      >
        <span className="whitespace-pre-line">{suspension.reason}</span> You get no offers and can’t ask for
        reviews.{' '}
        {suspension.until === null
          ? 'Our staff has to lift it.'
          : `It ends automatically on ${formatDateTime(suspension.until)}.`}{' '}
        Please finish the reviews you have accepted.
      </Alert>
    </div>
  )
}

import { Alert } from '#web/kit/ui/alert.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'

/** The notice on every page for staff who have not switched on two-factor authentication. */
export function StaffNotice({ isInSettings }: { isInSettings: boolean }) {
  return (
    <div className="mx-auto w-full max-w-[calc(var(--content-width)+4rem)] px-4 pt-6 sm:px-8">
      <Alert
        tone="info"
        title="Your staff account needs two-factor authentication"
        action={
          isInSettings ? null : (
            <LinkButton size="sm" href={paths.settings('security')}>
              Switch it on in Settings
            </LinkButton>
          )
        }
      >
        You can't open the staff pages until it's on. Everything else works as usual.
      </Alert>
    </div>
  )
}

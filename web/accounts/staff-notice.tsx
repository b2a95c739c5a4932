import { Alert } from '#web/kit/ui/alert.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'

/** What stands over every page of a member of staff who has not switched two-factor authentication on. */
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
        The pages for staff stay closed to you until it is on. Everything else works as always.
      </Alert>
    </div>
  )
}

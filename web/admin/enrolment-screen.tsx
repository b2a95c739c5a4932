import { Page } from '#web/kit/ui/page.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { TwoFactorEnrolment } from '#web/settings/two-factor-enrolment.tsx'

/**
 * What staff see first: no page of the staff area opens without a second factor. `onSetup` is called when its
 * dialog opens and closes.
 */
export function EnrolmentScreen({ onSetup }: { onSetup: (open: boolean) => void }) {
  return (
    <Page>
      <PageHeader
        title="Set up two-factor authentication"
        help="Our staff sign in with a second factor. Once it's on, the staff area opens here."
      />
      <TwoFactorEnrolment onSetup={onSetup} />
    </Page>
  )
}

import { Card } from '#web/kit/ui/card.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { SupportForm } from './support-form.tsx'

/** /support: a form to contact the staff. */
export function SupportScreen() {
  return (
    <Page width="narrow">
      <PageHeader title="Contact Support" help="A person reads every message and answers by email." />
      <Card>
        <SupportForm />
      </Card>
    </Page>
  )
}

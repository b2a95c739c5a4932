import { useQuery } from '@tanstack/react-query'
import { Card } from '#web/kit/ui/card.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { meOptions } from '#web/members/me.ts'
import { paths } from '#web/paths.ts'
import { MyMessages } from './my-messages.tsx'
import { SupportForm } from './support-form.tsx'

/** /support: a form to contact the staff, and the messages sent so far. */
export function SupportScreen() {
  const { data: me } = useQuery(meOptions())
  const demo = me?.demo ?? false
  return (
    <Page width="narrow">
      <PageHeader
        title="Contact Support"
        help={
          <>
            {demo
              ? 'This is a demo club: only its staff accounts can answer. Try it, and answer it yourself.'
              : 'A person reads every message and answers by email.'}{' '}
            The <TextLink href={paths.help()}>help pages</TextLink> answer most questions right away.
          </>
        }
      />
      <Card>
        <SupportForm demo={demo} />
      </Card>
      <MyMessages />
    </Page>
  )
}

import { ShieldAlert } from 'lucide-react'
import { z } from 'zod'
import { client } from '#web/api.ts'
import { AuthFrame } from '#web/kit/frames/auth-frame.tsx'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { LinkFacts } from './link-facts.tsx'
import type { LinkRead } from './link-facts.tsx'
import { isLinkExpired } from '#web/accounts/link-refusal.ts'

type ReportNotMeProps = {
  token: string
  link: LinkRead
  onExpired: () => void
  onReportedNotMe: () => void
}

/** Lets the owner of an address delete an unconfirmed account that another person made with it. */
export function ReportNotMe({ token, link, onExpired, onReportedNotMe }: ReportNotMeProps) {
  return (
    <AuthFrame
      title="This was not me"
      help={
        'Someone signed up with your address but never confirmed it. Delete the account to free your ' +
        "address. This can't be undone."
      }
      icon={<ShieldAlert />}
    >
      <LinkFacts link={link} />
      <Form
        label="This was not me"
        schema={z.object({})}
        defaultValues={{}}
        onSubmit={async () => {
          try {
            await client.accounts.reportNotMe({ token })
            onReportedNotMe()
          } catch (error) {
            if (!isLinkExpired(error)) throw error
            onExpired()
          }
        }}
      >
        <SubmitButton wide size="lg" variant="danger" busyLabel="Deleting...">
          Delete this account
        </SubmitButton>
      </Form>
    </AuthFrame>
  )
}

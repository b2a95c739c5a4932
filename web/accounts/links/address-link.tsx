import { useQueryClient } from '@tanstack/react-query'
import { Link2Off, MailCheck } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { client } from '#web/api.ts'
import { AuthFrame } from '#web/kit/frames/auth-frame.tsx'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { isLinkExpired } from '#web/accounts/link-refusal.ts'
import { deleteLinkSecret } from '#web/accounts/link-secret.ts'
import { recheckSession } from '#web/accounts/session.ts'

/** Confirms an address again after mail to it bounced. Opening the link does not use it up. */
export function AddressLink({ token }: { token: string }) {
  const queryClient = useQueryClient()
  const [state, setState] = useState<'open' | 'confirmed' | 'expired'>('open')

  async function confirm() {
    try {
      await client.accounts.confirmAddress({ token })
      setState('confirmed')
    } catch (error) {
      if (!isLinkExpired(error)) throw error
      setState('expired')
    }
    deleteLinkSecret()
    recheckSession(queryClient)
  }

  if (state === 'open') {
    return (
      <AuthFrame
        title="Confirm your email address"
        help="An email to this address came back. Confirm it to get our emails again."
        icon={<MailCheck />}
      >
        <Form label="Confirm" schema={z.object({})} defaultValues={{}} onSubmit={confirm}>
          <SubmitButton wide size="lg" busyLabel="Confirming...">
            Confirm this address
          </SubmitButton>
        </Form>
      </AuthFrame>
    )
  }
  const isConfirmed = state === 'confirmed'
  return (
    <AuthFrame
      title={isConfirmed ? 'Address confirmed' : 'Link expired or invalid'}
      help={
        isConfirmed
          ? 'You get our emails at this address again.'
          : 'This link has expired or been used already. Sign in to get a new one.'
      }
      icon={isConfirmed ? <MailCheck /> : <Link2Off />}
    >
      <LinkButton wide variant="primary" href={paths.dashboard()}>
        Go to your dashboard
      </LinkButton>
    </AuthFrame>
  )
}

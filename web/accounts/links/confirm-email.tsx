import { MailCheck } from 'lucide-react'
import { z } from 'zod'
import { client } from '#web/api.ts'
import { AuthFrame } from '#web/kit/frames/auth-frame.tsx'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { LinkFacts } from './link-facts.tsx'
import type { LinkRead } from './link-facts.tsx'
import { isLinkExpired } from '#web/accounts/link-refusal.ts'
import { NewPasswordFields } from '#web/accounts/new-password-fields.tsx'
import { newPassword, samePassword } from '#web/accounts/new-password.ts'

const choice = z
  .object({ password: newPassword, confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, samePassword)

type ConfirmEmailProps = {
  token: string
  link: LinkRead
  onConfirmed: () => Promise<void>
  onExpired: () => void
}

/**
 * Confirms an address. In the browser that signed up, one press is enough. In any other, the reader chooses a
 * new password, since another person may have signed up with the address.
 */
export function ConfirmEmail({ token, link, onConfirmed, onExpired }: ConfirmEmailProps) {
  async function confirm(password?: string) {
    try {
      await client.accounts.verifyEmail({ token, password })
    } catch (error) {
      if (isLinkExpired(error)) return onExpired()
      throw error
    }
    await onConfirmed()
  }

  return (
    <AuthFrame
      title="Confirm your email"
      help={
        link.sameBrowser
          ? 'Press the button and your account is ready.'
          : 'You signed up in a different browser, so choose your password now. ' +
            "The one from sign-up won't work."
      }
      icon={<MailCheck />}
      foot={
        <LinkButton variant="ghost" href={paths.authCallback({ type: 'not_me' })}>
          This was not me
        </LinkButton>
      }
    >
      <LinkFacts link={link} />
      {link.sameBrowser ? (
        <Form label="Confirm" schema={z.object({})} defaultValues={{}} onSubmit={() => confirm()}>
          <SubmitButton wide size="lg" busyLabel="Confirming...">
            Confirm my email
          </SubmitButton>
        </Form>
      ) : (
        <Form
          label="Choose a password"
          schema={choice}
          defaultValues={{ password: '', confirmation: '' }}
          onSubmit={({ password }) => confirm(password)}
        >
          <NewPasswordFields name="password" label="New password" />
          <SubmitButton wide size="lg" className="mt-2" busyLabel="Confirming...">
            Confirm and choose a password
          </SubmitButton>
        </Form>
      )}
    </AuthFrame>
  )
}

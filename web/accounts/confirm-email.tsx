import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { client } from '#web/api.ts'
import { AuthFrame } from '#web/kit/auth-frame.tsx'
import { failureOf } from '#web/kit/form-failure.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { OfflineBar } from '#web/kit/ui/offline-bar.tsx'
import { PasswordInput } from '#web/kit/ui/password-input.tsx'
import { isLinkExpired } from './link-refusal.ts'
import { newPassword, newPasswordHint, samePassword } from './new-password.ts'

const choice = z
  .object({ password: newPassword, confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, samePassword)

type ConfirmEmailProps = {
  token: string
  link: { maskedEmail: string; username: string; sameBrowser: boolean }
  onConfirmed: () => Promise<void>
  onExpired: () => void
  onDisowned: () => void
}

/**
 * Confirms an address. In the browser that signed up one press does it; in another one the person chooses a password,
 * since whoever signed up may not be who reads the mail.
 */
export function ConfirmEmail({ token, link, onConfirmed, onExpired, onDisowned }: ConfirmEmailProps) {
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
          ? 'One press, and your account is ready.'
          : 'This is not the browser in which the account was made, so choose its password now. The one typed at sign-up no longer counts.'
      }
      icon={<MailCheck />}
      bar={<OfflineBar />}
      foot={<Disown token={token} onDisowned={onDisowned} />}
    >
      <dl className="mb-5 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 rounded-10 border border-line bg-sunken px-3.5 py-3 text-14">
        <dt className="text-ink-2">Email</dt>
        <dd className="font-medium break-all text-ink">{link.maskedEmail}</dd>
        <dt className="text-ink-2">Username</dt>
        <dd className="font-medium break-all text-ink">{link.username}</dd>
      </dl>
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
          <Field name="password" label="New password" help={newPasswordHint}>
            <PasswordInput autoComplete="new-password" />
          </Field>
          <Field name="confirmation" label="Confirm password">
            <PasswordInput autoComplete="new-password" />
          </Field>
          <SubmitButton wide size="lg" className="mt-2" busyLabel="Confirming...">
            Confirm and choose a password
          </SubmitButton>
        </Form>
      )}
    </AuthFrame>
  )
}

function Disown({ token, onDisowned }: { token: string; onDisowned: () => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        This was not me
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete the unconfirmed account?"
        description="Somebody signed up with your address. Its account is deleted at once, and this link stops working."
        confirmLabel="Delete the account"
        busyLabel="Deleting..."
        onConfirm={async () => {
          try {
            await client.accounts.disownSignUp({ token })
          } catch (error) {
            throw new Error(failureOf(error).message, { cause: error })
          }
          onDisowned()
        }}
      />
    </>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { z } from 'zod'
import { memberRefusals } from '#contract/members.ts'
import { client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import type { FormFailure, FormHandle } from '#web/kit/form.tsx'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { isSignedOut } from '#web/members/me.ts'
import { firstPageOf } from './on-signed-in.ts'
import { enterSession, recheckSession } from './session.ts'
import { useUsernameCheck } from './username-check.ts'
import { UsernameField } from './username-field.tsx'
import { explainUsername } from './username-refusal.ts'

const choice = z.object({ username: z.string() })

/** A dialog on every page for members without a username. It stays open until they choose one. */
export function UsernameDialog() {
  const queryClient = useQueryClient()
  const router = useRouter()
  return (
    <Dialog
      open
      blocking
      size="sm"
      title="Choose your username"
      description="This will appear on your profile and activity."
    >
      <Form
        label="Username"
        schema={choice}
        defaultValues={{ username: '' }}
        onSubmit={async ({ username }) => {
          await client.members.setUsername({ username })
          const me = await enterSession(queryClient)
          toast({ title: 'Welcome to Evenhand', description: `You are ${username} now.`, tone: 'success' })
          await router.navigate({ href: firstPageOf(me, undefined) })
        }}
        explain={(error) => {
          if (isSignedOut(error)) recheckSession(queryClient)
          return explain(error)
        }}
      >
        {(form) => <Fields form={form} />}
      </Form>
    </Dialog>
  )
}

function Fields({ form }: { form: FormHandle<typeof choice> }) {
  const { state } = useUsernameCheck(form.values.username)
  return (
    <>
      <UsernameField state={state} unknownMessage="We'll check again on save" />
      <DialogFooter>
        <SubmitButton busyLabel="Saving..." disabled={state !== 'valid' && state !== 'unknown'}>
          Save
        </SubmitButton>
      </DialogFooter>
    </>
  )
}

/** Shows an error as a toast, and returns it for the field or the form, where it stays. */
function explain(error: unknown): FormFailure {
  if (isSignedOut(error)) {
    const { title, message } = memberRefusals.AUTH_REQUIRED
    toast({ title, description: message, tone: 'danger' })
    return { title, message }
  }
  const refused = explainUsername(error)
  if (refused) return refused
  const message = refusalCode(error) ? 'Could not save username. Please try again.' : messageOf(error)
  toast({ title: 'Error', description: message, tone: 'danger' })
  return { message }
}

/** The message for an error without a refusal code, which means that the server did not answer. */
function messageOf(error: unknown): string {
  const failed = 'Failed to save username'
  // The browser's own message for a lost connection is not meant for users.
  if (error instanceof TypeError) return failureOf(error).message ?? failed
  return (error instanceof Error && error.message) || failed
}

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { z } from 'zod'
import { accountRefusals } from '#contract/accounts.ts'
import { client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import type { FormFailure, FormHandle } from '#web/kit/form.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { enterSession, recheckSession } from './session.ts'
import { useUsernameCheck } from './username-check.ts'
import { UsernameField } from './username-field.tsx'

const choice = z.object({ username: z.string() })

/** Stands over every page of a member without a username, and cannot be left before one is chosen. */
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
          await client.accounts.setUsername({ username })
          await enterSession(queryClient)
          toast({ title: 'Welcome to Evenhand', description: `You are ${username} now.`, tone: 'success' })
          await router.navigate({ href: paths.dashboard() })
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
      <UsernameField state={state} unknownWords="We'll check again on save" />
      <DialogFooter>
        <SubmitButton busyLabel="Saving..." disabled={state !== 'valid' && state !== 'unknown'}>
          Save
        </SubmitButton>
      </DialogFooter>
    </>
  )
}

/** A refusal in the words of a toast, and beside the field or in the form, where it stays. */
function explain(error: unknown): FormFailure {
  const { code, words } = readRefusal(error)
  if (isSignedOut(error)) {
    const { title, message } = accountRefusals.AUTH_REQUIRED
    toast({ title, description: message, tone: 'danger' })
    return { title, message }
  }
  if (code === 'INVALID_USERNAME') {
    const { title, message } = accountRefusals.INVALID_USERNAME
    toast({ title, description: message, tone: 'danger' })
    return { fields: { username: 'Invalid username format' } }
  }
  if (code === 'USERNAME_TAKEN' || code === 'DUPLICATE') {
    const { title, message } = accountRefusals.USERNAME_TAKEN
    toast({ title, description: message, tone: 'danger' })
    return { fields: { username: 'That username is already taken' } }
  }
  const message = code ? 'Could not save username. Please try again.' : words || 'Failed to save username'
  toast({ title: 'Error', description: message, tone: 'danger' })
  return { message }
}

function isSignedOut(error: unknown): boolean {
  const { code } = readRefusal(error)
  return code === 'AUTH_REQUIRED' || code === 'UNAUTHORIZED'
}

/** The code of a refusal; a thrown error without one is no answer of the server. */
function readRefusal(error: unknown): { code: string; words: string } {
  if (!(error instanceof Error)) return { code: '', words: '' }
  return { code: 'code' in error && typeof error.code === 'string' ? error.code : '', words: error.message }
}

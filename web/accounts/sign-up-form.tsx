import { useRouter } from '@tanstack/react-router'
import { z } from 'zod'
import { client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import type { FormHandle } from '#web/kit/form.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { dropDraft, KeepDraft, readDraft } from '#web/kit/ui/kept-draft.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { emailAddress } from './email-address.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { newPassword, samePassword } from './new-password.ts'
import { rememberPendingEmail } from './pending-email.ts'
import { useUsernameCheck } from './username-check.ts'
import type { UsernameState } from './username-check.ts'
import { UsernameField } from './username-field.tsx'
import { explainUsername } from './username-refusal.ts'

const application = z
  .object({
    username: z.string(),
    email: z.string().trim().min(1, 'Please enter your email address').pipe(emailAddress),
    password: newPassword,
    confirmation: z.string(),
  })
  .refine(({ password, confirmation }) => password === confirmation, samePassword)

type Application = FormHandle<typeof application>

/** Kept while the rules or another page are read in this tab. A password is not. */
const drafts = { username: 'sign-up username', email: 'sign-up email' }

/** Requests an account. Only the email, never the answer, says whether the address already has one. */
export function SignUpForm({ returnTo }: { returnTo?: string }) {
  const router = useRouter()
  return (
    <Form
      label="Create account"
      schema={application}
      defaultValues={{
        username: readDraft(drafts.username),
        email: readDraft(drafts.email),
        password: '',
        confirmation: '',
      }}
      onSubmit={async ({ username, email, password }) => {
        await client.accounts.signUp({ username, email, password, returnTo })
        dropDraft(drafts.username)
        dropDraft(drafts.email)
        rememberPendingEmail(email)
        await router.navigate({ href: paths.verifyEmail({ reason: 'signup', returnTo }) })
      }}
      explain={(error) => {
        const refused = explainUsername(error)
        if (refused) return refused
        const failure = failureOf(error)
        if (failure.fields) return failure
        toast({ title: 'Error', description: 'Failed to create account', tone: 'danger' })
        return { title: 'Failed to create account', message: failure.message }
      }}
    >
      {(form) => <Fields form={form} />}
    </Form>
  )
}

function Fields({ form }: { form: Application }) {
  const { state, checkAgain } = useUsernameCheck(form.values.username)
  return (
    <>
      <KeepDraft name={drafts.username} text={form.values.username} />
      <KeepDraft name={drafts.email} text={form.values.email} />
      <UsernameField state={state} unknownMessage={couldNotCheck} checkAgain={checkAgain} />
      <Field name="email" label="Email">
        <Input type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
      </Field>
      <NewPasswordFields name="password" label="Password" />
      <SubmitButton
        wide
        size="lg"
        className="mt-2"
        busyLabel="Creating account..."
        disabledReason={whyNot[state]}
      >
        Create account
      </SubmitButton>
    </>
  )
}

const couldNotCheck = 'Could not check availability'
const choose = 'Please choose a valid username'

/** Why the button is disabled. */
const whyNot: Record<UsernameState, string | null> = {
  idle: choose,
  invalid: choose,
  own: null,
  taken: choose,
  checking: 'Checking...',
  unknown: couldNotCheck,
  valid: null,
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import type { Provider, Security } from '#contract/sign-in.ts'
import { api, client } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import type { FormFailure } from '#web/kit/form-failure.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { PasswordInput } from '#web/kit/ui/password-input.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { FailureText } from '#web/kit/ui/wait.tsx'
import { hasPasskeys, pickPasskey } from '#web/sign-in/passkey-sign-in.ts'
import { confirmWithProvider } from '#web/sign-in/provider-calls.ts'
import { ProviderMark } from '#web/sign-in/provider-mark.tsx'
import { explainProvider, explainProviderCode } from '#web/sign-in/provider-refusal.ts'

type ConfirmIdentityDialogProps = { onConfirmed: () => void; onGivenUp: () => void }

/** Asks the member to confirm their identity with one of the account's sign-in methods. */
export function ConfirmIdentityDialog({ onConfirmed, onGivenUp }: ConfirmIdentityDialogProps) {
  const queryClient = useQueryClient()
  const {
    data: security,
    error,
    isFetching,
    isError,
    refetch,
  } = useQuery(api.signIn.getSecurity.queryOptions())

  function confirmed() {
    void queryClient.invalidateQueries({ queryKey: api.signIn.getSecurity.key() })
    onConfirmed()
  }

  return (
    <Dialog
      open
      onOpenChange={onGivenUp}
      size="sm"
      title="Confirm it’s you"
      description="This protects your account and your data. We won’t ask again for a few minutes."
    >
      {security ? (
        <SignInMethods security={security} onConfirmed={confirmed} />
      ) : isError ? (
        <ErrorState
          title="Your sign-in methods could not be loaded"
          onRetry={() => void refetch()}
          retrying={isFetching}
          error={error}
          className="py-4!"
        />
      ) : (
        <Loading className="flex flex-col gap-3">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-9 w-full rounded-8" />
          <Skeleton className="mt-4 h-9 w-full rounded-8" />
        </Loading>
      )}
    </Dialog>
  )
}

function SignInMethods({ security, onConfirmed }: { security: Security; onConfirmed: () => void }) {
  const { hasPassword, twoFactor, passkeys, provider } = security
  const hasPasskey = passkeys.length > 0 && hasPasskeys()
  const isConnected = provider !== null && provider.connectedAt !== null
  const hasOthers = hasPasskey || isConnected
  if (!hasPassword && !hasOthers) {
    return (
      <Alert tone="warning" title="You can’t confirm this in this browser">
        You sign in with a passkey, and this browser doesn’t support them. Please use another one.
      </Alert>
    )
  }
  return (
    <>
      {hasOthers ? (
        <OtherMethods
          withPasskey={hasPasskey}
          provider={isConnected ? provider : null}
          onConfirmed={onConfirmed}
          isFirst={!hasPassword}
        />
      ) : null}
      {hasPassword ? <PasswordProof withCode={twoFactor.enabled} onConfirmed={onConfirmed} /> : null}
    </>
  )
}

const proof = z.object({
  password: z.string().min(1, 'Please enter your password.'),
  code: z.string().trim(),
})

function PasswordProof({ withCode, onConfirmed }: { withCode: boolean; onConfirmed: () => void }) {
  return (
    <Form
      label="Confirm with your password"
      schema={
        withCode ? proof.extend({ code: z.string().trim().min(6, 'Please enter the 6-digit code.') }) : proof
      }
      defaultValues={{ password: '', code: '' }}
      onSubmit={async ({ password, code }) => {
        await client.signIn.confirmIdentity(withCode ? { password, code } : { password })
        onConfirmed()
      }}
      explain={(error) =>
        refusalCode(error) === 'WRONG_PASSWORD' ? { fields: { password: 'This isn’t your password.' } } : null
      }
    >
      <Field name="password" label="Password">
        <PasswordInput autoComplete="current-password" />
      </Field>
      {withCode ? (
        <Field name="code" label="Code" help="The 6 digits from your authenticator app, or a recovery code.">
          <Input
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono"
          />
        </Field>
      ) : null}
      <DialogFooter>
        <SubmitButton busyLabel="Confirming...">Confirm</SubmitButton>
      </DialogFooter>
    </Form>
  )
}

type OtherMethodsProps = {
  withPasskey: boolean
  provider: Provider | null
  onConfirmed: () => void
  /** The account has no password, so the first of these is the primary button. */
  isFirst: boolean
}

function OtherMethods({ withPasskey, provider, onConfirmed, isFirst }: OtherMethodsProps) {
  const [busy, setBusy] = useState<'passkey' | 'provider' | null>(null)
  const [problem, setProblem] = useState<FormFailure | null>(null)

  async function confirmByPasskey() {
    setBusy('passkey')
    setProblem(null)
    try {
      if (await pickPasskey('dialog', new AbortController().signal)) return onConfirmed()
    } catch (error) {
      setProblem({ message: 'This passkey didn’t work.', ...failureOf(error) })
    }
    setBusy(null)
  }

  async function confirmByProvider(provider: Provider) {
    setBusy('provider')
    setProblem(null)
    try {
      await confirmWithProvider(provider, {
        onReturned: (error) => {
          if (error === null) return onConfirmed()
          setProblem({ message: explainProviderCode(error, provider.name).title })
          setBusy(null)
        },
        onQuiet: () => setBusy(null),
      })
    } catch (error) {
      const { until } = failureOf(error)
      setProblem({ message: explainProvider(error, provider.name).title, until })
      setBusy(null)
    }
  }

  return (
    <div className="mb-5 flex flex-col gap-2.5 last:mb-0">
      {problem ? (
        <Alert tone="danger">
          <FailureText failure={problem} />
        </Alert>
      ) : null}
      {withPasskey ? (
        <Button
          wide
          variant={isFirst ? 'primary' : 'secondary'}
          icon={<Fingerprint />}
          busy={busy === 'passkey'}
          disabled={busy !== null}
          onClick={() => void confirmByPasskey()}
        >
          Use a passkey
        </Button>
      ) : null}
      {provider ? (
        <Button
          wide
          variant={isFirst && !withPasskey ? 'primary' : 'secondary'}
          icon={<ProviderMark id={provider.id} />}
          busy={busy === 'provider'}
          busyLabel="Connecting…"
          disabled={busy !== null}
          onClick={() => void confirmByProvider(provider)}
        >
          Continue with {provider.name}
        </Button>
      ) : null}
      {isFirst ? null : (
        <p
          className={
            'mt-2 flex items-center gap-3 text-12 text-ink-3 before:h-px before:flex-1 before:bg-line ' +
            'after:h-px after:flex-1 after:bg-line'
          }
        >
          or with your password
        </p>
      )}
    </div>
  )
}

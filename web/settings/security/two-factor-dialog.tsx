import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { RefObject } from 'react'
import { z } from 'zod'
import { useSession } from '#web/accounts/session.ts'
import { api, client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { CopyButton } from '#web/kit/ui/copy-button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { appCode } from '#web/sign-in/app-code.ts'
import { useFresh } from '#web/settings/fresh.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type TwoFactorDialogProps = { uri: string; secret: string; onClose: () => void }

/** Sets up two-factor authentication in two steps: the authenticator app, then the recovery codes. */
export function TwoFactorDialog({ uri, secret, onClose }: TwoFactorDialogProps) {
  const queryClient = useQueryClient()
  const code = useRef<HTMLInputElement>(null)
  const [codes, setCodes] = useState<string[] | null>(null)

  function finish() {
    void queryClient.invalidateQueries({ queryKey: api.signIn.getSecurity.key() })
    void queryClient.invalidateQueries({ queryKey: api.members.getMe.key() })
    onClose()
    toast({
      title: 'Two-factor authentication is on',
      description: 'From now on, you sign in with your password and a code.',
      tone: 'success',
    })
  }

  if (codes) return <RecoveryCodesDialog codes={codes} step="Step 2 of 2." onClose={finish} />
  return (
    <Dialog
      open
      onOpenChange={onClose}
      initialFocus={code}
      title="Set up two-factor authentication"
      description="Step 1 of 2. Scan this with an authenticator app, then enter the code it shows."
    >
      <SecretForm uri={uri} secret={secret} codeRef={code} onFinished={setCodes} />
    </Dialog>
  )
}

const entry = z.object({ code: appCode })

type SecretFormProps = {
  uri: string
  secret: string
  codeRef: RefObject<HTMLInputElement | null>
  onFinished: (codes: string[]) => void
}

function SecretForm({ uri, secret, codeRef, onFinished }: SecretFormProps) {
  const { fresh, identityWindow } = useFresh()
  return (
    <>
      <div className="flex flex-col items-center gap-5 sm:flex-row sm:items-start">
        <QrCode text={uri} />
        <div className="min-w-0 flex-1 self-stretch">
          <p className="text-13 text-pretty text-ink-2">
            Is the app on this device? <TextLink href={uri}>Open it in the app</TextLink>. Can’t scan it?
            Enter this key in the app instead.
          </p>
          <p
            className={
              'mt-2 rounded-8 border border-line bg-sunken px-3 py-2 ' +
              'font-mono text-13 wrap-break-word text-ink select-all'
            }
          >
            {secret.match(/.{1,4}/g)?.join(' ')}
          </p>
          <CopyButton size="sm" text={secret} label="Copy key" className="mt-2" />
        </div>
      </div>
      <Form
        label="Code from your app"
        className="mt-5"
        schema={entry}
        defaultValues={{ code: '' }}
        onSubmit={async ({ code }) => {
          const { recoveryCodes } = await fresh(() => client.signIn.finishTwoFactor({ code }))
          onFinished(recoveryCodes)
        }}
      >
        <Field name="code" label="Code">
          <Input
            ref={codeRef}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={7}
            placeholder="123456"
            className="tabular max-w-40 font-mono tracking-[0.2em]"
          />
        </Field>
        <DialogFooter>
          <SubmitButton busyLabel="Checking...">Continue</SubmitButton>
        </DialogFooter>
      </Form>
      {identityWindow}
    </>
  )
}

type RecoveryCodesDialogProps = { codes: string[]; step?: string; onClose: () => void }

/**
 * New recovery codes. They are shown once, so the dialog stays until the member confirms having saved them.
 */
export function RecoveryCodesDialog({ codes, step = '', onClose }: RecoveryCodesDialogProps) {
  const session = useSession()
  const [isSaved, setSaved] = useState(false)
  return (
    <Dialog
      open
      blocking
      title="Save your recovery codes"
      description={(
        `${step} If you lose your phone, each code signs you in once. ` + 'We won’t show them again.'
      ).trim()}
    >
      <RecoveryCodes codes={codes} account={session.state === 'authed' ? session.me.email : ''} />
      <div className="mt-5">
        <Checkbox label="I have saved them somewhere safe" checked={isSaved} onCheckedChange={setSaved} />
      </div>
      <DialogFooter>
        <Button
          variant="primary"
          onClick={onClose}
          disabledReason={isSaved ? null : 'Save the codes first, then tick the box above.'}
        >
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { signInRefusals } from '#contract/sign-in.ts'
import type { Security } from '#contract/sign-in.ts'
import { api, client } from '#web/api.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { showFailure, useFresh } from '#web/settings/fresh.tsx'

// The drawing of the code comes with it, and few people set it up more than once.
const TwoFactorDialog = lazy(async () => ({
  default: (await import('./two-factor-dialog.tsx')).TwoFactorDialog,
}))
const RecoveryCodesDialog = lazy(async () => ({
  default: (await import('./two-factor-dialog.tsx')).RecoveryCodesDialog,
}))

type Setup = { uri: string; secret: string }

/** The second factor: whether it is on, and everything that may be done about it. */
export function TwoFactorSettings({ security }: { security: Security }) {
  const { enabled, required, recoveryCodesLeft } = security.twoFactor
  // Here, since it is on while its recovery codes still are to be saved, and the window must not go with the button.
  const [setup, setSetup] = useState<Setup | null>(null)
  return (
    <Card
      level={3}
      title="Two-factor authentication"
      help="After your password, a code from an app on your phone. A password that was stolen is then not enough."
      action={
        enabled ? (
          <Badge tone="success" icon={<ShieldCheck />}>
            On
          </Badge>
        ) : (
          <Badge>Off</Badge>
        )
      }
    >
      {enabled ? (
        <SwitchedOn isRequired={required} codesLeft={recoveryCodesLeft} />
      ) : (
        <SwitchedOff isRequired={required} onSetup={setSetup} />
      )}
      {setup ? (
        <Suspense fallback={null}>
          <TwoFactorDialog {...setup} onClose={() => setSetup(null)} />
        </Suspense>
      ) : null}
    </Card>
  )
}

type SwitchedOffProps = { isRequired: boolean; onSetup: (setup: Setup) => void }

function SwitchedOff({ isRequired, onSetup }: SwitchedOffProps) {
  const { fresh, identityWindow } = useFresh()
  const start = useMutation({
    mutationFn: () => fresh(() => client.signIn.startTwoFactor()),
    onSuccess: onSetup,
    onError: (error) => showFailure(error),
  })
  return (
    <>
      {isRequired ? (
        <Alert tone="warning" className="mb-4">
          Your role asks for it: the pages for staff open once it is on.
        </Alert>
      ) : null}
      <Button
        variant={isRequired ? 'primary' : 'secondary'}
        busy={start.isPending}
        busyLabel="Preparing..."
        onClick={() => start.mutate()}
      >
        Set up
      </Button>
      {identityWindow}
    </>
  )
}

function SwitchedOn({ isRequired, codesLeft }: { isRequired: boolean; codesLeft: number }) {
  const queryClient = useQueryClient()
  const { fresh, identityWindow } = useFresh()
  const [asking, setAsking] = useState<'renew' | 'stop' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const renewed = () => queryClient.invalidateQueries({ queryKey: api.signIn.getSecurity.key() })
  return (
    <>
      {codesLeft <= 3 ? (
        <Alert tone="warning" title={codesLeft === 0 ? 'No recovery codes left' : undefined} className="mb-4">
          {codesLeft === 0
            ? 'Without your app you would be locked out. Make new codes now.'
            : `Only ${codesLeft === 1 ? 'one recovery code is' : `${codesLeft} recovery codes are`} left. Make new ones soon.`}
        </Alert>
      ) : (
        <p className="mb-4 text-14 text-ink-2">
          <span className="tabular font-medium text-ink">{codesLeft}</span> recovery codes are left, for when
          your app is out of reach. Not saved, or lost? Make new ones.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setAsking('renew')}>New recovery codes</Button>
        <Button
          variant="ghost"
          onClick={() => setAsking('stop')}
          disabledReason={isRequired ? signInRefusals.TWO_FACTOR_REQUIRED.message : null}
        >
          Switch off
        </Button>
      </div>
      <ConfirmDialog
        open={asking === 'renew'}
        onOpenChange={() => setAsking(null)}
        tone="primary"
        title="Make new recovery codes?"
        description="The ones you have stop working at once. You see the new ones once, and keep them somewhere safe."
        confirmLabel="Make new codes"
        busyLabel="Making..."
        onConfirm={async () => {
          const { recoveryCodes } = await fresh(() => client.signIn.renewRecoveryCodes())
          setCodes(recoveryCodes)
          await renewed()
        }}
      >
        {identityWindow}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'stop'}
        onOpenChange={() => setAsking(null)}
        title="Switch two-factor authentication off?"
        description="Your password alone then opens your account. The entry in your app and your recovery codes stop working."
        confirmLabel="Switch off"
        busyLabel="Switching off..."
        onConfirm={async () => {
          await fresh(() => client.signIn.stopTwoFactor())
          await renewed()
          void queryClient.invalidateQueries({ queryKey: api.members.getMe.key() })
          toast({ title: 'Two-factor authentication is off', tone: 'success' })
        }}
      >
        {identityWindow}
      </ConfirmDialog>
      {codes ? (
        <Suspense fallback={null}>
          <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
        </Suspense>
      ) : null}
    </>
  )
}

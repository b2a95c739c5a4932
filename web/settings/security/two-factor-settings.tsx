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

// Loaded on demand: it includes the QR code library, and few members set it up more than once.
const TwoFactorDialog = lazy(async () => ({
  default: (await import('./two-factor-dialog.tsx')).TwoFactorDialog,
}))
const RecoveryCodesDialog = lazy(async () => ({
  default: (await import('./two-factor-dialog.tsx')).RecoveryCodesDialog,
}))

type Setup = { uri: string; secret: string }

type TwoFactorSettingsProps = {
  security: Security
  /** Called when the dialog that sets it up opens and closes: what holds it has to stay meanwhile. */
  onSetup?: (open: boolean) => void
}

/** Whether two-factor authentication is on, with buttons to set it up, renew its codes and switch it off. */
export function TwoFactorSettings({ security, onSetup }: TwoFactorSettingsProps) {
  const { enabled, required, recoveryCodesLeft } = security.twoFactor
  // Kept here and not in SwitchedOff: two-factor is on before the recovery codes are saved, and the dialog
  // must stay.
  const [setup, setSetup] = useState<Setup | null>(null)
  function change(next: Setup | null) {
    setSetup(next)
    onSetup?.(next !== null)
  }
  return (
    <Card
      level={3}
      title="Two-factor authentication"
      help="Asks for a code from your phone after your password, so a stolen password isn’t enough."
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
        <SwitchedOff isRequired={required} onSetup={change} />
      )}
      {setup ? (
        <Suspense fallback={null}>
          <TwoFactorDialog {...setup} onClose={() => change(null)} />
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
          Staff need two-factor authentication. You can open the staff pages once it’s on.
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
  const refetch = () => queryClient.invalidateQueries({ queryKey: api.signIn.getSecurity.key() })
  return (
    <>
      {codesLeft <= 3 ? (
        <Alert tone="warning" title={codesLeft === 0 ? 'No recovery codes left' : undefined} className="mb-4">
          {codesLeft === 0
            ? 'If you lose your app, you’ll be locked out. Create new codes now.'
            : `You have ${codesLeft} recovery ${codesLeft === 1 ? 'code' : 'codes'} left. ` +
              'Create new ones soon.'}
        </Alert>
      ) : (
        <p className="mb-4 text-14 text-ink-2">
          You have <span className="tabular font-medium text-ink">{codesLeft}</span> recovery codes left for
          when you don’t have your app. If you’ve lost them, create new ones.
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
        title="Create new recovery codes?"
        description="Your current codes stop working. Save the new ones: we show them only once."
        confirmLabel="Create new codes"
        busyLabel="Creating..."
        onConfirm={async () => {
          const { recoveryCodes } = await fresh(() => client.signIn.renewRecoveryCodes())
          setCodes(recoveryCodes)
          await refetch()
        }}
      >
        {identityWindow}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'stop'}
        onOpenChange={() => setAsking(null)}
        title="Switch off two-factor authentication?"
        description="You’ll sign in with your password only. Your app and recovery codes stop working."
        confirmLabel="Switch off"
        busyLabel="Switching off..."
        onConfirm={async () => {
          await fresh(() => client.signIn.stopTwoFactor())
          await refetch()
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

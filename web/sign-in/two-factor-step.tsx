import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { AuthFrame } from '#web/kit/auth-frame.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { OfflineBar } from '#web/kit/ui/offline-bar.tsx'
import { TwoFactorForm } from './two-factor-form.tsx'

type TwoFactorStepProps = {
  /** Begins the sign-in again; with words when this one is over. */
  onBack: (words?: string) => void
}

/** After the right password, for whoever has two-factor authentication switched on. */
export function TwoFactorStep({ onBack }: TwoFactorStepProps) {
  const [kind, setKind] = useState<'app' | 'recovery'>('app')
  const isApp = kind === 'app'
  return (
    <AuthFrame
      title={isApp ? 'Enter your code' : 'Use a recovery code'}
      help={
        isApp
          ? 'Open your authenticator app and type the code it shows for Evenhand.'
          : 'Type one of the codes you kept when you switched two-factor authentication on. Each works once.'
      }
      icon={<ShieldCheck />}
      bar={<OfflineBar />}
    >
      <TwoFactorForm key={kind} kind={kind} onOver={onBack} />
      <div className="mt-3 flex flex-col gap-1">
        <Button wide variant="ghost" onClick={() => setKind(isApp ? 'recovery' : 'app')}>
          {isApp ? 'Use a recovery code' : 'Use your authenticator app'}
        </Button>
        <Button wide variant="ghost" onClick={() => onBack()}>
          Back
        </Button>
      </div>
    </AuthFrame>
  )
}

import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { AuthFrame } from '#web/kit/frames/auth-frame.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { TwoFactorForm } from './two-factor-form.tsx'

type TwoFactorStepProps = {
  /** Starts the sign-in again, with a message when this one has ended. */
  onBack: (message?: string) => void
}

/** The step after the password for users with two-factor authentication. */
export function TwoFactorStep({ onBack }: TwoFactorStepProps) {
  const [kind, setKind] = useState<'app' | 'recovery'>('app')
  const isApp = kind === 'app'
  return (
    <AuthFrame
      title={isApp ? 'Enter your code' : 'Use a recovery code'}
      help={
        isApp
          ? 'Open your authenticator app and enter the code it shows for Evenhand.'
          : 'Enter one of the codes you saved when you set up two-factor authentication. Each works once.'
      }
      icon={<ShieldCheck />}
    >
      <TwoFactorForm key={kind} kind={kind} onEnded={onBack} />
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

import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Provider } from '#contract/sign-in.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import type { ButtonProps } from '#web/kit/ui/button.tsx'
import { ProviderMark } from './provider-mark.tsx'
import { explainProvider } from './provider-refusal.ts'
import type { ProviderRefusal } from './provider-refusal.ts'
import type { VisitEnds } from './provider-visit.ts'

type ProviderVisitButtonProps = Pick<ButtonProps, 'wide' | 'size'> & {
  provider: Provider
  /** Opens the provider's page, as `visitProvider` does. */
  visit: (ends: VisitEnds) => Promise<void>
  /**
   * Called when the window has returned, with the code of its error if it failed. Gets the result from the
   * server: why it failed, or null.
   */
  settle: (error: string | null) => Promise<ProviderRefusal | null>
  children: ReactNode
}

/** Opens the provider's page and waits for the result. Shows a failure above the button. */
export function ProviderVisitButton({
  provider,
  visit,
  settle,
  children,
  ...look
}: ProviderVisitButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<ProviderRefusal | null>(null)

  async function connect() {
    setBusy(true)
    setRefusal(null)
    try {
      await visit({ onReturned: (error) => void end(error), onQuiet: () => setBusy(false) })
    } catch (error) {
      setRefusal(explainProvider(error, provider.name))
      setBusy(false)
    }
  }

  async function end(error: string | null) {
    setRefusal(await settle(error))
    setBusy(false)
  }

  return (
    <>
      {refusal ? (
        <Alert tone="danger" title={refusal.title} className="mb-3">
          {refusal.message}
        </Alert>
      ) : null}
      <Button
        {...look}
        icon={<ProviderMark id={provider.id} />}
        busy={isBusy}
        busyLabel="Connecting…"
        onClick={() => void connect()}
      >
        {children}
      </Button>
    </>
  )
}

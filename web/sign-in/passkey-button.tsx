import { useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { onSignedIn } from '#web/accounts/on-signed-in.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import type { FormFailure } from '#web/kit/form-failure.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { FailureText } from '#web/kit/ui/wait.tsx'
import { signInWithPasskey } from './better-auth.ts'
import { askDevice, offersPasskeys } from './passkey-sign-in.ts'

/**
 * Signs in with a passkey from this button or from the suggestions of the email field, which the browser
 * shows while the button is mounted.
 */
export function PasskeyButton() {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<FormFailure | null>(null)
  const running = useRef<AbortController | null>(null)

  const beginOffer = useEffectEvent(offer)

  // The browser waits for a choice in its own list, outside React, until this button unmounts.
  useEffect(() => {
    const here = new AbortController()
    void beginOffer(here.signal)
    return () => {
      here.abort()
      running.current?.abort()
    }
  }, [])

  /** Errors stay silent, since the user did not ask for this offer. */
  async function offer(here?: AbortSignal) {
    if (!(await offersPasskeys()) || here?.aborted) return
    const picked = await askDevice('offer', begin()).catch(() => null)
    if (picked) await enter(picked)
  }

  async function choose() {
    setBusy(true)
    setFailure(null)
    try {
      const picked = await askDevice('dialog', begin())
      if (picked && (await enter(picked))) return
    } catch (error) {
      setFailure(failureOf(error))
    }
    setBusy(false)
    void offer()
  }

  async function enter(picked: unknown): Promise<boolean> {
    try {
      await signInWithPasskey(picked)
      await onSignedIn(queryClient)
      return true
    } catch (error) {
      setFailure(failureOf(error))
      return false
    }
  }

  /** Starts a request and aborts the one before, since a browser handles one at a time. */
  function begin(): AbortSignal {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }

  return (
    <>
      {failure ? (
        <Alert tone="danger" className="mb-3">
          <FailureText failure={failure} />
        </Alert>
      ) : null}
      <Button
        wide
        size="lg"
        icon={<Fingerprint />}
        busy={isBusy}
        busyLabel="Waiting for your passkey…"
        onClick={() => void choose()}
      >
        Sign in with a passkey
      </Button>
    </>
  )
}

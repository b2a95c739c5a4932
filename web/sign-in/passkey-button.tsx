import { useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { arrive } from '#web/accounts/on-signed-in.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { signInWithPasskey } from './better-auth.ts'
import { askDevice, offersPasskeys } from './passkey-sign-in.ts'

/**
 * Signs in with a passkey, by its button and by the browser's own offer in the list of the email field, which
 * begins with this button and ends with it.
 */
export function PasskeyButton() {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [words, setWords] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)

  const beginOffer = useEffectEvent(offer)

  // The browser waits for a choice in its own list, outside React and for as long as the field is there.
  useEffect(() => {
    const here = new AbortController()
    void beginOffer(here.signal)
    return () => {
      here.abort()
      running.current?.abort()
    }
  }, [])

  /** Nobody asked for it, so that it cannot be made is not spoken of. */
  async function offer(here?: AbortSignal) {
    if (!(await offersPasskeys()) || here?.aborted) return
    const picked = await askDevice('offer', begin()).catch(() => null)
    if (picked) await enter(picked)
  }

  async function choose() {
    setBusy(true)
    setWords(null)
    try {
      const picked = await askDevice('dialog', begin())
      if (picked && (await enter(picked))) return
    } catch (error) {
      setWords(failureOf(error).message ?? null)
    }
    setBusy(false)
    void offer()
  }

  async function enter(picked: unknown): Promise<boolean> {
    try {
      await signInWithPasskey(picked)
      await arrive(queryClient)
      return true
    } catch (error) {
      setWords(failureOf(error).message ?? null)
      return false
    }
  }

  /** The browser serves one request at a time: a new one takes the place of the one before. */
  function begin(): AbortSignal {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }

  return (
    <>
      {words ? (
        <Alert tone="danger" className="mb-3">
          {words}
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

import { useEffect, useState } from 'react'
import { failureOf } from '#web/kit/form-failure.ts'

/**
 * Opens a page of the payment partner in this tab. `busy` from the press until the page is left, so a second
 * press opens nothing; `error` says why it could not be opened.
 */
export function usePartnerPage(findPage: () => Promise<{ url: string }>) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  // Going back may show this page as it was left.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => (event.persisted ? setBusy(false) : undefined)
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])

  async function open() {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      const { url } = await findPage()
      location.assign(url)
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }

  return { open, busy, failure, error: failure === null ? null : failureOf(failure).message }
}

import { useEffect } from 'react'
import { wantsPush } from './remembered-push.ts'

/** Subscribes again where the member wants push messages and the subscription ended with its session. */
export function useRenewedPush(memberId: string): void {
  // The browser's subscription is outside React.
  useEffect(() => {
    if (!wantsPush(memberId)) return
    // The settings show it when it fails.
    void import('./push-browser.ts').then(({ renewPush }) => renewPush()).catch(() => undefined)
  }, [memberId])
}

import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { useRefreshBilling } from './billing.ts'

/**
 * How long the payment partner's own message may take before we ask, in milliseconds. With the answer it
 * makes less than the two seconds after which a wait feels like a failure.
 */
const askAfterMs = 300

/**
 * After a payment: leads to the dashboard once the membership is active. Until then it waits for the live
 * event, and asks the payment partner once if that is late.
 */
export function CheckoutReturn({ isActive = false }: { isActive?: boolean }) {
  const router = useRouter()
  const refresh = useRefreshBilling()
  const ask = useEffectEvent(() => refresh.mutate())
  const leave = useEffectEvent(() => {
    toast({ title: 'Your membership is active', description: 'Welcome to the club.', tone: 'success' })
    void router.navigate({ href: paths.dashboard(), replace: true })
  })
  // The partner's message arrives outside React, or not at all.
  useEffect(() => {
    if (isActive) return leave()
    const timer = setTimeout(() => ask(), askAfterMs)
    return () => clearTimeout(timer)
  }, [isActive])
  if (isActive) return null
  return (
    <Card>
      <div aria-live="polite" className="flex items-start gap-4">
        <Spinner size={20} className="mt-0.5 shrink-0 text-accent-ink" />
        <div>
          <h2 className="text-16 font-semibold text-ink">Confirming your payment…</h2>
          <p className="mt-1 text-14 text-pretty text-ink-2">
            {refresh.isSuccess || refresh.isError
              ? 'This takes longer than usual. Your membership starts automatically as soon as the ' +
                'payment is confirmed, even if you leave this page.'
              : 'This takes a few seconds.'}
          </p>
        </div>
      </div>
      {refresh.isSuccess || refresh.isError ? (
        <Button className="mt-4" busy={refresh.isPending} onClick={() => refresh.mutate()}>
          Check again
        </Button>
      ) : null}
    </Card>
  )
}

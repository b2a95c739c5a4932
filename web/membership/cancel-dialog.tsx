import type { Billing } from '#contract/membership.ts'
import { client } from '#web/api.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useRefetchBilling } from './billing.ts'

type CancelDialogProps = { open: boolean; onOpenChange: (open: boolean) => void; billing: Billing }

/** Says until when the membership runs, and cancels. It asks nothing. */
export function CancelDialog({ open, onOpenChange, billing }: CancelDialogProps) {
  const refetch = useRefetchBilling()
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Cancel your membership?"
      description={
        <>{consequenceOf(billing)} Nothing more is charged. Please finish the reviews you’ve accepted.</>
      }
      confirmLabel="Cancel membership"
      busyLabel="Canceling..."
      cancelLabel="Don’t cancel"
      onConfirm={async () => {
        await client.membership.cancelMembership()
        await refetch()
        toast({ title: 'Your membership is canceled', tone: 'success' })
      }}
    />
  )
}

function consequenceOf({ state, paidUntil }: Billing): string {
  if (state === 'past_due')
    return 'You have no paid time left, so it ends now. You can join again at any time.'
  if (state === 'paused')
    return (
      'Your pause ends now. You get the days you’ve already paid for, and then your membership ends. ' +
      'You can’t take this back, but you can join again.'
    )
  const until =
    paidUntil === null ? 'to the end of the time you’ve paid for' : `until ${formatDateTime(paidUntil)}`
  return `It runs ${until}, and you can take this back until then.`
}

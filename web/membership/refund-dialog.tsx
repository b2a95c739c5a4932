import type { Billing } from '#contract/membership.ts'
import { client } from '#web/api.ts'
import { formatDateTime, formatMoney } from '#web/kit/time.ts'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useRefetchBilling } from './billing.ts'

type RefundDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  refund: NonNullable<Billing['refund']>
}

/** Says the amount and that the membership ends now, and asks for the first payment back. */
export function RefundDialog({ open, onOpenChange, refund: { cents, until } }: RefundDialogProps) {
  const refetch = useRefetchBilling()
  const amount = formatMoney(cents)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Get ${amount} back?`}
      description={
        <>
          You get the full {amount} back on the card you paid with, and{' '}
          <strong>your membership ends now</strong>. You can do this once, and until {formatDateTime(until)}.
        </>
      }
      confirmLabel="Refund and end membership"
      busyLabel="Refunding..."
      cancelLabel="Keep membership"
      onConfirm={async () => {
        await client.membership.refundMembership()
        await refetch()
        toast({
          title: 'Your refund is on its way',
          description: `${amount} goes back to your card. Your bank may take some days to show it.`,
          tone: 'success',
        })
      }}
    >
      <p className="text-13 text-pretty text-ink-2">
        You get no more offers, and your requests wait until you join again. Reviews you’ve accepted keep
        their deadlines.
      </p>
    </ConfirmDialog>
  )
}

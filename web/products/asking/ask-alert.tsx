import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { ProductCard as Product } from '#contract/products.ts'
import { api, client } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { Button } from '#web/kit/ui/button.tsx'
import type { ButtonSize } from '#web/kit/ui/button.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { Tooltip } from '#web/kit/ui/tooltip.tsx'

/** Whether too few members could take a request for a product, and its seller waits for no alert yet. */
export function canAddAlert({ askRefusal }: Pick<Product, 'askRefusal'>): boolean {
  return askRefusal?.code === 'NO_MEMBER_AVAILABLE' && !askRefusal.alert
}

type AlertButtonProps = { product: Product; size?: ButtonSize; wide?: boolean }

/** Has the seller notified when enough members could take a request. */
export function AlertButton({ product, size, wide }: AlertButtonProps) {
  const { addAlert, adding } = useAskAlert(product)
  const reasonId = useId()
  const reason = product.askRefusal?.message ?? ''
  return (
    <>
      <Tooltip content={reason} delay={150} repeatsName>
        <Button size={size} wide={wide} busy={adding} onClick={addAlert} aria-describedby={reasonId}>
          Notify Me
        </Button>
      </Tooltip>
      <span id={reasonId} hidden>
        {reason}
      </span>
    </>
  )
}

/** Adds the alert of a product and shows the result in a toast. */
export function useAskAlert({ id, askRefusal }: Pick<Product, 'id' | 'askRefusal'>) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => client.matching.addAskAlert({ id }),
    onSuccess: () =>
      toast({
        title: 'We’ll notify you when you can ask',
        // A press on a phone opens no tooltip.
        description: askRefusal?.message ?? '',
        tone: 'success',
      }),
    onError: (error) =>
      toast({
        title: 'Error',
        description: refusalMessage(error, 'This didn’t work. Please try again.'),
        tone: 'danger',
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.products.listProducts.key() }),
  })
  return { addAlert: () => mutate(), adding: isPending }
}

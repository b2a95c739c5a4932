import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { productsAtOnce } from '#contract/products.ts'
import type { ProductCard as Product } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { isWithdrawable } from '../product-actions.ts'
import { myProductLists } from '../my-products.ts'

type SelectionBarProps = {
  /** The selected products, live and archived ones. */
  selected: readonly Product[]
  onDone: () => void
}

/** The actions on several products. It stays at the bottom of the window while products are selected. */
export function SelectionBar({ selected, onDone }: SelectionBarProps) {
  const [asking, setAsking] = useState(false)
  const { archive, restore, busy } = useActionsOnSeveral(onDone)
  const live = selected.filter(({ archived }) => !archived)
  const archived = selected.filter((product) => product.archived)
  const open = live.filter(isWithdrawable).length
  const tooMany = selected.length > productsAtOnce && `At most ${productsAtOnce} at a time.`
  return (
    <div
      role="toolbar"
      aria-label="Selected products"
      className={
        'sticky bottom-3 z-10 flex flex-wrap items-center gap-2 rounded-12 border border-line-strong ' +
        'bg-surface px-4 py-3 shadow-float'
      }
    >
      <output className="tabular mr-auto text-14 font-medium text-ink">
        {selected.length === 0 ? 'Choose products' : `${selected.length} selected`}
      </output>
      <Button onClick={onDone}>Cancel</Button>
      {archived.length > 0 ? (
        <Button busy={busy} disabledReason={tooMany} onClick={() => restore(idsOf(archived))}>
          Restore {archived.length}
        </Button>
      ) : null}
      <Button
        variant="primary"
        busy={busy}
        disabledReason={live.length === 0 ? 'Choose products in the rotation.' : tooMany}
        onClick={() => (open > 0 ? setAsking(true) : void archive(live).catch(() => undefined))}
      >
        {live.length > 0 ? `Archive ${live.length}` : 'Archive'}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        tone="primary"
        title={`Archive ${live.length === 1 ? '1 product' : `${live.length} products`}?`}
        description={
          `This cancels ${open === 1 ? 'an open request' : `${open} open requests`}, which lose their ` +
          'place. You can restore the products anytime.'
        }
        confirmLabel="Archive"
        busyLabel="Archiving..."
        onConfirm={() => archive(live)}
      />
    </div>
  )
}

function useActionsOnSeveral(onDone: () => void) {
  const queryClient = useQueryClient()
  const archiving = useMutation(api.products.archiveProducts.mutationOptions())
  const refetch = () => {
    for (const queryKey of [
      ...myProductLists(),
      api.reviews.getDashboard.key(),
      api.matching.getBalance.key(),
    ])
      void queryClient.invalidateQueries({ queryKey })
  }

  // With its callbacks here, Undo also works when the bar is gone.
  const restoring = useMutation(
    api.products.restoreProducts.mutationOptions({
      onSuccess: (_, { ids }) => {
        toast({ title: `${productsOf(ids.length)} restored`, tone: 'success' })
        onDone()
      },
      onError: (error) =>
        toast({
          title: 'Nothing was restored',
          description: refusalMessage(error, 'Please try again.'),
          tone: 'danger',
        }),
      onSettled: refetch,
    }),
  )
  const restore = (ids: string[]) => restoring.mutate({ ids })

  async function archive(products: readonly Product[]) {
    const ids = idsOf(products)
    try {
      await archiving.mutateAsync({ ids })
    } catch (error) {
      const message = refusalMessage(error, 'The products could not be archived. Nothing was changed.')
      toast({ title: 'Nothing was archived', description: message, tone: 'danger' })
      throw new Error(message, { cause: error })
    } finally {
      refetch()
    }
    toast({
      title: `${productsOf(ids.length)} archived`,
      description: ids.length === 1 ? 'It is out of the rotation.' : 'They are out of the rotation.',
      tone: 'success',
      action: { label: 'Undo', onClick: () => restore(ids) },
    })
    onDone()
  }

  return { archive, restore, busy: archiving.isPending || restoring.isPending }
}

function idsOf(products: readonly Product[]) {
  return products.map(({ id }) => id)
}

function productsOf(count: number) {
  return count === 1 ? '1 product' : `${count} products`
}

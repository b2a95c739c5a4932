import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ban, Undo2 } from 'lucide-react'
import { unwantedLimits } from '#contract/matching-rules.ts'
import type { LiveProduct } from '#contract/discover.ts'
import { categoryNames } from '#contract/products.ts'
import { days } from '#contract/format.ts'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatDate } from '#web/kit/time.ts'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import type { MenuItem } from '#web/kit/ui/menu-item.ts'
import { toast } from '#web/kit/ui/toast.tsx'

/** What a member is about to mark, or to take back. */
export type Mark = { product: LiveProduct; of: 'product' | 'category' | 'back' }

/** The actions of the menu of another member's product. */
export function notForMeItems(product: LiveProduct, onChoose: (mark: Mark) => void): MenuItem[] {
  const { unwanted, category } = product
  if (unwanted) {
    return [
      {
        label:
          unwanted.of === 'product' ? 'Offer it to me again' : `Offer me ${categoryNames[category]} again`,
        icon: <Undo2 aria-hidden="true" />,
        disabledReason: unwanted.endsAt && `You can be offered it again from ${formatDate(unwanted.endsAt)}.`,
        onSelect: () => onChoose({ product, of: 'back' }),
      },
    ]
  }
  return [
    {
      label: 'Not for me',
      icon: <Ban aria-hidden="true" />,
      onSelect: () => onChoose({ product, of: 'product' }),
    },
    {
      label: `No ${categoryNames[category]} for me`,
      icon: <Ban aria-hidden="true" />,
      onSelect: () => onChoose({ product, of: 'category' }),
    },
  ]
}

/** Says what a mark means before it is made or taken back. */
export function NotForMeDialog({ mark, onClose }: { mark: Mark | null; onClose: () => void }) {
  const { mark: add, takeBack } = useMarks()
  if (!mark) return null
  const { product, of } = mark
  const category = categoryNames[product.category]
  const wait = days(unwantedLimits.waitDays)
  const { unwanted } = product
  return of === 'back' ? (
    <ConfirmDialog
      open
      onOpenChange={(next) => !next && onClose()}
      tone="primary"
      title="Take it back?"
      description={
        `You can be offered ${unwanted?.of === 'category' ? `${category} products` : 'this product'} ` +
        `again in ${wait}. Until then nothing changes.`
      }
      confirmLabel="Take it back"
      busyLabel="Saving..."
      onConfirm={() => takeBack(unwanted?.id ?? '')}
    />
  ) : (
    <ConfirmDialog
      open
      onOpenChange={(next) => !next && onClose()}
      tone="primary"
      title={
        of === 'category' ? (
          `No ${category} products for you?`
        ) : (
          <span className="wrap-anywhere">“{product.title}” isn’t for you?</span>
        )
      }
      description={
        `You won’t be offered ${of === 'category' ? 'products of this category' : 'it'}. ` +
        'It isn’t a decline, and only you can see it. An offer that’s already open stays. ' +
        `If you take it back, it still counts for ${wait}.`
      }
      confirmLabel="Never offer it"
      busyLabel="Saving..."
      onConfirm={() => add(of === 'category' ? { category: product.category } : { productId: product.id })}
    />
  )
}

/** Marks, and takes marks back. Both reject with a message that a dialog can show. */
function useMarks() {
  const queryClient = useQueryClient()
  const adding = useMutation(api.matching.markUnwanted.mutationOptions())
  const taking = useMutation(api.matching.takeBackUnwanted.mutationOptions())

  async function settle<T>(action: Promise<T>): Promise<T> {
    try {
      return await action
    } catch (error) {
      throw new Error(refusalMessage(error, 'Your choice was not saved. Please try again.'), { cause: error })
    } finally {
      void queryClient.invalidateQueries({ queryKey: api.discover.key() })
      void queryClient.invalidateQueries({ queryKey: api.matching.listUnwantedOffers.key() })
    }
  }

  return {
    async mark(what: Parameters<typeof adding.mutateAsync>[0]) {
      await settle(adding.mutateAsync(what))
      toast({
        title: 'You won’t be offered it',
        description: 'See your marks in Settings, under Offers.',
        tone: 'success',
      })
    },
    async takeBack(id: string) {
      const { endsAt } = await settle(taking.mutateAsync({ id }))
      toast({
        title: 'Taken back',
        description: `It still counts until ${formatDate(endsAt)}.`,
        tone: 'success',
      })
    },
  }
}

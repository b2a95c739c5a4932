import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hours } from '#contract/format.ts'
import { isDrawKnown, takenBackHours } from '#contract/matching-rules.ts'
import type { ProductCard as Product } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { useServerNow } from '#web/kit/time.ts'
import { MarketplaceNotice } from './marketplace-notice.tsx'
import { ActionRefused, isWithdrawable, showRefusal, useProductActions } from './product-actions.ts'

type ConfirmProps = { product: Product; open: boolean; onClose: () => void }

/**
 * Asks before a product is deleted. Offers to archive a product that is being reviewed, which cannot be
 * deleted.
 */
export function DeleteProductDialog({ product, open, onClose }: ConfirmProps) {
  const { remove, archive } = useProductActions(product)
  const [refused, setRefused] = useState(false)
  const [archiving, setArchiving] = useState(false)
  const offersArchive = !product.archived && (refused || product.request?.status === 'in_review')

  async function confirm() {
    try {
      await remove()
    } catch (error) {
      setRefused(error instanceof ActionRefused && error.code === 'IN_REVIEW')
      throw error
    }
  }

  function archiveInstead() {
    setArchiving(true)
    archive()
      .then(onClose, (error: unknown) => {
        setRefused(true)
        showRefusal(error)
      })
      .finally(() => setArchiving(false))
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={<span className="wrap-anywhere">Delete “{product.title}”?</span>}
      description={
        isWithdrawable(product)
          ? 'This removes the product and cancels its open request. You can’t undo this.'
          : 'This removes the product and cancels open requests. Verified reviews stay. You can’t undo this.'
      }
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={confirm}
    >
      {offersArchive ? (
        <div
          className={
            'flex flex-wrap items-center justify-between gap-3 ' +
            'rounded-10 border border-line bg-sunken py-2.5 pr-2.5 pl-3.5'
          }
        >
          <p className="min-w-0 flex-1 basis-48 text-13 text-pretty text-ink-2">
            A member is reviewing this product, so you can only archive it. It leaves the rotation, and the
            review continues.
          </p>
          <Button size="sm" busy={archiving} onClick={archiveInstead}>
            Archive instead
          </Button>
        </div>
      ) : null}
    </ConfirmDialog>
  )
}

/** Asks before a product with an open request is archived, because archiving cancels the request. */
export function ArchiveProductDialog({ product, open, onClose }: ConfirmProps) {
  const { archive } = useProductActions(product)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      tone="primary"
      title={<span className="wrap-anywhere">Archive “{product.title}”?</span>}
      description={
        'This takes it out of the rotation and cancels its open ' + 'request. You can restore it anytime.'
      }
      confirmLabel="Archive"
      busyLabel="Archiving..."
      onConfirm={archive}
    />
  )
}

/** Shows the notice of a marketplace whose policy has changed, before an archived product is put back. */
export function RestoreProductDialog({ product, open, onClose }: ConfirmProps) {
  const { restore } = useProductActions(product)
  const queryClient = useQueryClient()
  const { data: marketplaces } = useQuery({ ...api.products.listMarketplaces.queryOptions(), enabled: open })
  const consent = useMutation(api.products.consentToMarketplace.mutationOptions())
  const marketplace = marketplaces?.find(({ name }) => name === product.marketplaceName)

  async function confirm() {
    if (!marketplace) throw new Error('The notice could not be loaded. Please try again.')
    await consent.mutateAsync({ id: marketplace.id, policyVersion: marketplace.policyVersion })
    await queryClient.invalidateQueries({ queryKey: api.products.listMarketplaces.key() })
    await restore()
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      tone="primary"
      title={`${product.marketplaceName}’s policy has changed`}
      description="Please read what it says about exchanged reviews before you restore the product."
      confirmLabel="I’ve read it, restore"
      busyLabel="Restoring..."
      onConfirm={confirm}
    >
      {marketplace ? (
        <MarketplaceNotice marketplace={marketplace} />
      ) : (
        <Loading label="Loading the notice">
          <Skeleton className="h-32 w-full" />
        </Loading>
      )}
    </ConfirmDialog>
  )
}

/** Asks before a request is withdrawn, because it loses its place. */
export function WithdrawRequestDialog({ product, open, onClose }: ConfirmProps) {
  const { withdraw } = useProductActions(product)
  const costs = useCostOfWithdrawing(product.request)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Withdraw request?"
      description={
        <span className="wrap-anywhere">
          This takes “{product.title}” out of the queue, and it loses its place. You can ask again later.
          {costs ? ` ${costs}.` : null}
        </span>
      }
      confirmLabel="Withdraw request"
      busyLabel="Withdrawing..."
      onConfirm={() => withdraw(product.request?.id ?? '')}
    />
  )
}

/** Why and how long withdrawing this request makes its seller wait; null when it does not. */
function useCostOfWithdrawing(request: Product['request']): string | null {
  const now = useServerNow()
  const aDay = `so you can’t ask for another review for ${hours(takenBackHours)}`
  if (request?.status === 'offered') return `A member is being asked right now, ${aDay}`
  if (request && isDrawKnown(Date.parse(request.createdAt), now))
    return `Its draw can be known by now, ${aDay}`
  if (request?.status === 'held')
    return 'If it still has to wait for its draw, you wait as long before you can ask for another review'
  return null
}

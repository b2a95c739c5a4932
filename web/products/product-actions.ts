import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProductCard as Product } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { refusalCode, refusalMessage } from '#web/kit/refusal-messages.ts'
import { toast } from '#web/kit/ui/toast.tsx'

/** An action that was refused: words for the dialog that asked for it, and the code they came with. */
export class ActionRefused extends Error {
  readonly code: string | undefined

  constructor(error: unknown, otherwise: string) {
    super(refusalMessage(error, otherwise))
    this.name = 'ActionRefused'
    this.code = refusalCode(error)
  }
}

/**
 * What a member does with a product besides changing it. Each resolves when it is done and rejects with `ActionRefused`, for a dialog to
 * show; each also tells of its success.
 */
export function useProductActions({ id, title }: Pick<Product, 'id' | 'title'>) {
  const queryClient = useQueryClient()
  const archive = useMutation(api.products.archiveProduct.mutationOptions())
  const restore = useMutation(api.products.restoreProduct.mutationOptions())
  const remove = useMutation(api.products.deleteProduct.mutationOptions())
  const cancel = useMutation(api.matching.cancelRequest.mutationOptions())

  async function settle(action: Promise<unknown>, otherwise: string) {
    try {
      await action
    } catch (error) {
      throw new ActionRefused(error, otherwise)
    } finally {
      void queryClient.invalidateQueries({ queryKey: api.products.listProducts.key() })
      void queryClient.invalidateQueries({ queryKey: api.reviews.getDashboard.key() })
      void queryClient.invalidateQueries({ queryKey: api.matching.getBalance.key() })
    }
  }

  async function archiveIt() {
    await settle(archive.mutateAsync({ id }), 'The product could not be archived. Nothing was changed.')
    toast({ title: 'Product archived', description: `${title} is out of the rotation.`, tone: 'success' })
  }

  async function restoreIt() {
    await settle(restore.mutateAsync({ id }), 'The product could not be restored. Nothing was changed.')
    toast({ title: 'Product restored', description: `${title} is in the rotation again.`, tone: 'success' })
  }

  async function deleteIt() {
    await settle(remove.mutateAsync({ id }), 'The product could not be deleted. Nothing was changed.')
    toast({ title: 'Product deleted', description: title, tone: 'success' })
  }

  async function withdraw(requestId: string) {
    await settle(
      cancel.mutateAsync({ id: requestId }),
      'The request could not be withdrawn. It is still open.',
    )
    toast({ title: 'Request withdrawn', description: title, tone: 'success' })
  }

  return {
    archive: archiveIt,
    restore: restoreIt,
    restoring: restore.isPending,
    remove: deleteIt,
    withdraw,
  }
}

/** Says in a toast why an action that no dialog asked for did not happen. */
export function showRefusal(error: unknown): void {
  toast({ title: 'Error', description: refusalMessage(error, messageOf(error)), tone: 'danger' })
}

function messageOf(error: unknown): string {
  return error instanceof ActionRefused ? error.message : 'That did not work. Nothing was changed.'
}

/** Whether a request can still be withdrawn: nobody has accepted it. */
export function isWithdrawable({ request }: Pick<Product, 'request'>): boolean {
  return request?.status === 'queued' || request?.status === 'offered' || request?.status === 'held'
}

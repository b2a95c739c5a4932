import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProductCard as Product } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { refusalCode, refusalMessage } from '#web/kit/refusal-messages.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { refetchMyProducts } from './my-products.ts'

/** An action was refused. Holds the message for the dialog, and the code of the refusal. */
export class ActionRefused extends Error {
  readonly code: string | undefined

  constructor(error: unknown, fallback: string) {
    super(refusalMessage(error, fallback))
    this.name = 'ActionRefused'
    this.code = refusalCode(error)
  }
}

/**
 * The actions on a product besides editing it. Each shows a toast when it succeeds and rejects with
 * `ActionRefused`, which a dialog can show.
 */
export function useProductActions({ id, title }: Pick<Product, 'id' | 'title'>) {
  const queryClient = useQueryClient()
  const archive = useMutation(api.products.archiveProduct.mutationOptions())
  const restore = useMutation(api.products.restoreProduct.mutationOptions())
  const remove = useMutation(api.products.deleteProduct.mutationOptions())
  const cancel = useMutation(api.matching.cancelRequest.mutationOptions())

  async function settle(action: Promise<unknown>, fallback: string) {
    try {
      await action
    } catch (error) {
      throw new ActionRefused(error, fallback)
    } finally {
      refetchMyProducts(queryClient)
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

  async function withdraw(queueId: string) {
    await settle(cancel.mutateAsync({ id: queueId }), 'The request could not be withdrawn. It is still open.')
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

/** Shows in a toast why an action failed that has no dialog. */
export function showRefusal(error: unknown): void {
  toast({ title: 'Error', description: refusalMessage(error, messageOf(error)), tone: 'danger' })
}

function messageOf(error: unknown): string {
  return error instanceof ActionRefused ? error.message : 'That didn’t work. Nothing was changed.'
}

/** Whether the request can still be withdrawn, which is until a member accepts it. */
export function isWithdrawable({ request }: Pick<Product, 'request'>): boolean {
  return request?.status === 'queued' || request?.status === 'offered' || request?.status === 'held'
}

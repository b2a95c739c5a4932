import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import type { ProductInput } from './product-form-dialog.tsx'

/** Stores a product and then its picture. A picture that is refused leaves the product stored, and is told of. */
export function useProductSaving() {
  const queryClient = useQueryClient()
  const adding = useMutation(api.products.addProduct.mutationOptions())
  const editing = useMutation(api.products.editProduct.mutationOptions())
  const uploading = useMutation(api.products.uploadProductImage.mutationOptions())

  /** Connects a product, or changes the one of this id. Rejects when the product itself was not stored. */
  async function save(input: ProductInput, image: File | null, id?: string) {
    const stored = await (id ? editing.mutateAsync({ id, ...input }) : adding.mutateAsync(input))
    if (image) await upload(stored.id, image)
    void queryClient.invalidateQueries({ queryKey: api.products.listProducts.key() })
    void queryClient.invalidateQueries({ queryKey: api.reviews.getDashboard.key() })
    return stored
  }

  async function upload(id: string, file: File) {
    try {
      await uploading.mutateAsync({ id, file })
    } catch (error) {
      toast({
        title: 'The picture was not uploaded',
        description: `${refusalMessage(error, 'It did not reach us.')} The product is saved; choose Edit Asset to add a picture.`,
        tone: 'warning',
      })
    }
  }

  return { save }
}

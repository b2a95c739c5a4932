import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ImageFocus } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import type { PictureInput, ProductInput } from './product-values.ts'
import { refetchMyProducts } from '../my-products.ts'

/**
 * Stores a product and then its picture. When the picture is refused, a toast says so and the product stays.
 */
export function useProductSaving() {
  const queryClient = useQueryClient()
  const adding = useMutation(api.products.addProduct.mutationOptions())
  const editing = useMutation(api.products.editProduct.mutationOptions())
  const pointing = useMutation(api.products.setImageFocus.mutationOptions())
  const uploading = useMutation(api.products.uploadProductImage.mutationOptions())

  /** Connects a product, or changes the one with this id. Rejects when the product was not stored. */
  async function save(input: ProductInput, { image, focus }: PictureInput, id?: string) {
    const stored = await (id ? editing.mutateAsync({ id, ...input }) : adding.mutateAsync(input))
    const hasPicture = image ? await upload(stored.id, image) : stored.imageId !== null
    if (focus && hasPicture) await point(stored.id, focus)
    refetchMyProducts(queryClient)
    void queryClient.invalidateQueries({ queryKey: api.reviews.getDashboard.key() })
    return stored
  }

  async function upload(id: string, file: File) {
    try {
      await uploading.mutateAsync({ id, file })
      return true
    } catch (error) {
      toast({
        title: 'The picture was not uploaded',
        description:
          `${refusalMessage(error, 'The upload failed.')} ` +
          'The product is saved. Choose Edit Asset to add a picture.',
        tone: 'warning',
      })
      return false
    }
  }

  async function point(id: string, focus: ImageFocus) {
    try {
      await pointing.mutateAsync({ id, ...focus })
    } catch (error) {
      toast({
        title: 'The focal point was not saved',
        description: `${refusalMessage(error, 'Please try again.')} The product is saved.`,
        tone: 'warning',
      })
    }
  }

  return { save }
}

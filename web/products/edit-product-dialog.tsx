import type { ProductCard as Product } from '#contract/products.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { ProductFormDialog } from './form/product-form-dialog.tsx'
import { useProductSaving } from './form/product-saving.ts'

/** Changes a product, including its link and its picture. */
export function EditProductDialog({
  product,
  open,
  onClose,
}: {
  product: Product
  open: boolean
  onClose: () => void
}) {
  const { save } = useProductSaving()
  return (
    <ProductFormDialog
      open={open}
      onClose={onClose}
      title="Edit Asset"
      product={product}
      submitLabel="Save changes"
      busyLabel="Saving..."
      failure={{ title: 'Changes not saved', message: 'The product could not be saved. Please try again.' }}
      onSave={async (input, picture) => {
        const { title } = await save(input, picture, product.id)
        toast({ title: 'Changes saved', description: title, tone: 'success' })
        onClose()
      }}
    />
  )
}

import { toast } from '#web/kit/ui/toast.tsx'
import { ProductFormDialog } from './form/product-form-dialog.tsx'
import { useProductSaving } from './form/product-saving.ts'

type AddProductDialogProps = {
  open: boolean
  onClose: () => void
  /** Called after a product was connected and the dialog closed. */
  onConnected?: () => void
}

/** Connects a product by its coupon link. */
export function AddProductDialog({ open, onClose, onConnected }: AddProductDialogProps) {
  const { save } = useProductSaving()
  return (
    <ProductFormDialog
      open={open}
      onClose={onClose}
      title="Add Coupon Link"
      description="Connect a product by its coupon link. Its files stay on the marketplace."
      submitLabel="Connect product"
      busyLabel="Connecting..."
      failure={{ title: 'Connection failed', message: 'Failed to connect product' }}
      onSave={async (input, picture) => {
        const { title } = await save(input, picture)
        toast({
          title: 'Product connected successfully',
          description: `${title} is ready to receive verified reviews`,
          tone: 'success',
        })
        onClose()
        onConnected?.()
      }}
    />
  )
}

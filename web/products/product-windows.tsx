import type { ProductCard as Product } from '#contract/products.ts'
import { EditProductDialog } from './edit-product-dialog.tsx'
import {
  ArchiveProductDialog,
  DeleteProductDialog,
  RestoreProductDialog,
  WithdrawRequestDialog,
} from './product-confirms.tsx'
import { ProductDialog } from './product-dialog.tsx'
import { ProductHistoryDialog } from './product-history-dialog.tsx'
import type { ProductView } from './product-menu.tsx'
import { WhyWaitingDialog } from './waiting/why-waiting-dialog.tsx'

type ProductWindowsProps = {
  product: Product
  view: ProductView | null
  onOpen: (view: ProductView) => void
  onClose: (view: ProductView) => void
}

/** The dialogs of a product card, one open at a time. Loaded when the pointer or the focus reaches a card. */
export function ProductWindows({ product, view, onOpen, onClose }: ProductWindowsProps) {
  const of = (name: ProductView) => ({ product, open: view === name, onClose: () => onClose(name) })
  return (
    <>
      <ProductDialog {...of('details')} onOpen={onOpen} />
      <EditProductDialog {...of('edit')} />
      <ProductHistoryDialog {...of('history')} />
      <WhyWaitingDialog {...of('waiting')} />
      <ArchiveProductDialog {...of('archive')} />
      <RestoreProductDialog {...of('restore')} />
      <WithdrawRequestDialog {...of('withdraw')} />
      <DeleteProductDialog {...of('delete')} />
    </>
  )
}

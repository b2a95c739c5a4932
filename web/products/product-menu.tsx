import { Archive, ArchiveRestore, Ellipsis, Eye, Pencil, RotateCw, Trash2, Undo2 } from 'lucide-react'
import type { ProductCard as Product } from '#contract/products.ts'
import { IconButton } from '#web/kit/ui/icon-button.tsx'
import { Menu } from '#web/kit/ui/menu.tsx'
import type { MenuItem } from '#web/kit/ui/menu-item.ts'
import { isWithdrawable, showRefusal, useProductActions } from './product-actions.ts'
import { requestState, useAskForReview, whyNot } from './request-button.tsx'

/** The dialogs of a product. */
export type ProductView = 'details' | 'edit' | 'archive' | 'withdraw' | 'delete'

/** All actions on a product, behind one button. */
export function ProductMenu({ product, onOpen }: { product: Product; onOpen: (view: ProductView) => void }) {
  const { archive, restore } = useProductActions(product)
  const { ask } = useAskForReview(product)
  const open = isWithdrawable(product)
  const again: MenuItem = {
    label: 'Get Reviewed again',
    icon: <RotateCw aria-hidden="true" />,
    disabledReason: product.askRefusal && whyNot(product.askRefusal),
    onSelect: ask,
  }
  return (
    <Menu
      trigger={<IconButton quiet label={`More about ${product.title}`} icon={<Ellipsis />} />}
      items={[
        { label: 'View Details', icon: <Eye aria-hidden="true" />, onSelect: () => onOpen('details') },
        { label: 'Edit Asset', icon: <Pencil aria-hidden="true" />, onSelect: () => onOpen('edit') },
        ...(requestState(product) === 'completed' && !product.archived ? [again] : []),
        ...(open
          ? [
              {
                label: 'Withdraw request',
                icon: <Undo2 aria-hidden="true" />,
                onSelect: () => onOpen('withdraw'),
              },
            ]
          : []),
        product.archived
          ? {
              label: 'Restore',
              icon: <ArchiveRestore aria-hidden="true" />,
              onSelect: () => void restore().catch(showRefusal),
            }
          : {
              label: 'Archive',
              icon: <Archive aria-hidden="true" />,
              // Archiving cancels an open request, so it is confirmed first.
              onSelect: () => (open ? onOpen('archive') : void archive().catch(showRefusal)),
            },
        'separator',
        {
          label: 'Delete',
          icon: <Trash2 aria-hidden="true" />,
          tone: 'danger',
          onSelect: () => onOpen('delete'),
        },
      ]}
    />
  )
}

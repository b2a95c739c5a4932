import {
  Archive,
  ArchiveRestore,
  ArrowDown,
  ArrowUp,
  Bell,
  Ellipsis,
  Eye,
  History,
  Pencil,
  RotateCw,
  Trash2,
  Undo2,
} from 'lucide-react'
import type { ProductCard as Product } from '#contract/products.ts'
import { IconButton } from '#web/kit/ui/icon-button.tsx'
import { Menu } from '#web/kit/ui/menu.tsx'
import type { MenuItem } from '#web/kit/ui/menu-item.ts'
import { canAddAlert, useAskAlert } from './asking/ask-alert.tsx'
import { ActionRefused, isWithdrawable, showRefusal, useProductActions } from './product-actions.ts'
import { isReviewed, useAskForReview, whyNot } from './request-button.tsx'

/** The dialogs of a product. */
export type ProductView =
  | 'details'
  | 'edit'
  | 'history'
  | 'waiting'
  | 'archive'
  | 'restore'
  | 'withdraw'
  | 'delete'

/** Where a product is among others, and how it is moved. */
export type Arrange = { place: number; last: number; moveTo: (place: number) => void }

type ProductMenuProps = {
  product: Product
  onOpen: (view: ProductView) => void
  arrange?: Arrange
}

/** All actions on a product, behind one button. */
export function ProductMenu({ product, onOpen, arrange }: ProductMenuProps) {
  const { archive, restore } = useProductActions(product)
  const { ask } = useAskForReview(product)
  const { addAlert } = useAskAlert(product)
  const open = isWithdrawable(product)
  const again: MenuItem = {
    label: 'Get Reviewed again',
    icon: <RotateCw aria-hidden="true" />,
    disabledReason: product.askRefusal && whyNot(product.askRefusal),
    onSelect: ask,
  }
  const notifyMe: MenuItem = {
    label: 'Notify Me',
    icon: <Bell aria-hidden="true" />,
    onSelect: addAlert,
  }
  const reviewed = isReviewed(product)
  return (
    <Menu
      trigger={<IconButton quiet label={`More about ${product.title}`} icon={<Ellipsis />} />}
      items={[
        { label: 'View Details', icon: <Eye aria-hidden="true" />, onSelect: () => onOpen('details') },
        { label: 'Edit Asset', icon: <Pencil aria-hidden="true" />, onSelect: () => onOpen('edit') },
        { label: 'History', icon: <History aria-hidden="true" />, onSelect: () => onOpen('history') },
        ...(arrange && arrange.last > 0 ? moves(arrange) : []),
        ...(reviewed ? [again] : []),
        ...(reviewed && canAddAlert(product) ? [notifyMe] : []),
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
              onSelect: () => void restore().catch((error: unknown) => explainRestore(error, onOpen)),
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

function moves({ place, last, moveTo }: Arrange): MenuItem[] {
  return [
    {
      label: 'Move up',
      icon: <ArrowUp aria-hidden="true" />,
      disabledReason: place === 0 && 'It’s the first one.',
      onSelect: () => moveTo(place - 1),
    },
    {
      label: 'Move down',
      icon: <ArrowDown aria-hidden="true" />,
      disabledReason: place === last && 'It’s the last one.',
      onSelect: () => moveTo(place + 1),
    },
  ]
}

/** A policy that changed since is read first; any other refusal is shown in a toast. */
export function explainRestore(error: unknown, onOpen: (view: ProductView) => void): void {
  if (error instanceof ActionRefused && error.code === 'CONSENT_REQUIRED') onOpen('restore')
  else showRefusal(error)
}

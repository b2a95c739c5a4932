import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import type { DragEvent, ReactNode } from 'react'
import { liveProductsLimit } from '#contract/products.ts'
import type { ProductCard as Product } from '#contract/products.ts'
import { lazy } from '#web/kit/lazy.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { useLazy, windowMissing } from '#web/kit/use-lazy.ts'
import { ProductCard, wholeCardLook } from './product-card.tsx'
import type { ProductView } from './product-menu.tsx'
import { useAddProduct } from './use-add-product.tsx'

const loadWindows = lazy(() => import('./product-windows.tsx'))

type ProductGridProps = {
  products: readonly Product[]
  level: 2 | 3
  label: string
  /** A tile after the products. */
  tile?: ReactNode
  /** Moves a product to a place in this list; without it they cannot be moved here. */
  onMove?: (id: string, place: number) => void
  /** The selected products, while products are being selected. */
  selected?: { ids: ReadonlySet<string>; toggle: (id: string) => void }
}

/** Products as cards, with the dialogs that open from them. */
export function ProductGrid({ products, level, label, tile, onMove, selected }: ProductGridProps) {
  const [shown, setShown] = useState<{ id: string; view: ProductView; open: boolean } | null>(null)
  const { parts, want, reach } = useLazy(loadWindows, windowMissing)
  const product = products.find(({ id }) => id === shown?.id)
  const [place, setPlace] = useState('')
  const drag = useDrag(products, onMove)

  function move({ id, title }: Product, to: number) {
    onMove?.(id, to)
    setPlace(`${title} is now number ${to + 1} of ${products.length}.`)
  }

  async function open(id: string, view: ProductView) {
    if (await want()) setShown({ id, view, open: true })
  }

  return (
    <>
      <ul aria-label={label} className={gridLook}>
        {products.map((each, at) => (
          <li
            key={each.id}
            {...(selected ? {} : drag(each.id))}
            className={
              'min-w-0 rounded-12 data-dragged:opacity-50 ' +
              'data-over:outline-2 data-over:outline-offset-2 data-over:outline-accent'
            }
          >
            <ProductCard
              product={each}
              level={level}
              onOpen={(view) => void open(each.id, view)}
              onReach={reach}
              arrange={
                onMove && { place: at, last: products.length - 1, moveTo: (to: number) => move(each, to) }
              }
              selection={
                selected && { selected: selected.ids.has(each.id), toggle: () => selected.toggle(each.id) }
              }
            />
          </li>
        ))}
        {tile ? <li>{tile}</li> : null}
      </ul>
      <output className="sr-only">{place}</output>
      {parts && shown && product ? (
        <parts.ProductWindows
          key={product.id}
          product={product}
          view={shown.open ? shown.view : null}
          onOpen={(view) => void open(product.id, view)}
          // A dialog that was replaced by another one must not close its successor.
          onClose={(view) => setShown((now) => (now?.view === view ? { ...now, open: false } : now))}
        />
      ) : null}
    </>
  )
}

/** Dragging a card onto another puts it in that place. The menu does the same without a pointer. */
function useDrag(products: readonly Product[], onMove: ProductGridProps['onMove']) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  if (!onMove || products.length < 2) return () => ({})
  const end = () => {
    setDragged(null)
    setOver(null)
  }
  return (id: string) => ({
    draggable: true,
    'data-dragged': dragged === id || undefined,
    'data-over': (dragged !== null && over === id && dragged !== id) || undefined,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move'
      setDragged(id)
    },
    onDragOver: (event: DragEvent) => {
      if (dragged === null) return
      event.preventDefault()
      setOver(id)
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      const place = products.findIndex((each) => each.id === id)
      if (dragged !== null) onMove(dragged, place)
      end()
    },
    onDragEnd: end,
  })
}

/**
 * The last tile of a list of products. It opens the dialog for a new one, and is disabled at ten in the
 * rotation.
 */
export function AddProductTile({ live, onConnected }: { live: number; onConnected?: () => void }) {
  const helpId = useId()
  const { show, reach, dialog } = useAddProduct(onConnected)
  const full = live >= liveProductsLimit

  return (
    <>
      <div
        className={cx(
          'relative flex min-h-24 w-full items-center gap-4 ' +
            'rounded-12 border border-dashed border-line-strong p-4 transition-colors',
          // Beside products it is small; the products come first.
          live === 0 && 'sm:h-full sm:min-h-44 sm:flex-col sm:justify-center sm:text-center',
          !full && 'hover:border-accent hover:bg-accent-soft',
        )}
      >
        <span
          aria-hidden="true"
          className={
            'flex size-11 shrink-0 items-center justify-center rounded-12 border border-line bg-surface ' +
            'text-accent-ink shadow-press'
          }
        >
          <Plus size={20} />
        </span>
        <div className="flex flex-col gap-0.5">
          <button
            type="button"
            aria-describedby={helpId}
            aria-haspopup="dialog"
            aria-disabled={full || undefined}
            onPointerEnter={reach}
            onFocus={reach}
            onClick={() => full || show()}
            className={cx(
              'text-left text-14 font-semibold text-ink',
              live === 0 && 'sm:text-center',
              wholeCardLook,
            )}
          >
            Add Product
          </button>
          <p id={helpId} className="text-13 text-pretty text-ink-2">
            {full
              ? `${live} of ${liveProductsLimit} products are in the rotation. Archive one to add another.`
              : 'Connect a product by its coupon link'}
          </p>
        </div>
      </div>
      {dialog}
    </>
  )
}

/** A placeholder while the list of products loads. */
export function ProductGridSkeleton({ cards }: { cards: number }) {
  return (
    <Loading label="Loading your products" className={gridLook}>
      {Array.from({ length: cards }, (_, card) => (
        <div key={card} className="overflow-hidden rounded-12 border border-line bg-surface">
          <Skeleton className="aspect-4/3 rounded-none!" />
          <div className="flex flex-col gap-3 p-4">
            <div className="flex justify-between">
              <Skeleton className="h-5.5 w-24 rounded-full!" />
              <Skeleton className="h-5 w-12" />
            </div>
            <Skeleton className="h-5 w-4/5" />
            <Skeleton className="h-5 w-full" />
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-9 w-full rounded-8!" />
          </div>
        </div>
      ))}
    </Loading>
  )
}

const gridLook = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-4'

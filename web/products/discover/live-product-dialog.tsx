import { useQuery } from '@tanstack/react-query'
import { Ban, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { formatNames } from '#contract/products.ts'
import type { DescribedProduct } from '#contract/discover.ts'
import { api } from '#web/api.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { formatDate } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { paths } from '#web/paths.ts'
import { Markdown } from '../markdown.tsx'
import { Price } from '../price.tsx'
import { ProductImage } from '../product-image.tsx'
import { ProductTags } from '../product-tags.tsx'
import { NotForMeDialog } from './not-for-me.tsx'
import type { Mark } from './not-for-me.tsx'

type LiveProductDialogProps = { id: string | undefined; onClose: () => void; onTag: (tag: string) => void }

/** One of the club's products. Its address can be shared with other members. */
export function LiveProductDialog({ id, onClose, onTag }: LiveProductDialogProps) {
  const { data, error, isFetching, refetch } = useQuery({
    ...api.discover.getLiveProduct.queryOptions({ input: { id: id ?? '' } }),
    enabled: id !== undefined,
    retry: false,
  })
  const isGone = refusalCode(error) === 'NOT_FOUND' || refusalCode(error) === 'BAD_REQUEST'
  return (
    <Dialog
      open={id !== undefined}
      hasAddress
      onOpenChange={(next) => !next && onClose()}
      size="lg"
      title={<span className="wrap-anywhere">{data?.title ?? 'Product'}</span>}
    >
      {id === undefined ? null : data ? (
        <Details product={data} onTag={onTag} onClose={onClose} />
      ) : error ? (
        isGone ? (
          <p className="text-14 text-ink-2">This product isn’t in the rotation any more.</p>
        ) : (
          <ErrorState
            title="The product could not be loaded"
            onRetry={() => void refetch()}
            retrying={isFetching}
            error={error}
            level={3}
          />
        )
      ) : (
        <Loading label="Loading the product" className="grid gap-5 sm:grid-cols-[15rem_minmax(0,1fr)]">
          <Skeleton className="aspect-4/3 w-full" />
          <Skeleton className="h-32 w-full" />
        </Loading>
      )}
    </Dialog>
  )
}

type DetailsProps = Pick<LiveProductDialogProps, 'onTag' | 'onClose'> & { product: DescribedProduct }

function Details({ product, onTag, onClose }: DetailsProps) {
  const [marking, setMarking] = useState<Mark | null>(null)
  const { unwanted } = product
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <ProductImage
          imageId={product.imageId}
          focus={product.imageFocus}
          category={product.category}
          sizes="(width < 40rem) 100vw, 240px"
          className="aspect-4/3 w-full rounded-10 border border-line"
        />
        <div className="flex min-w-0 flex-col gap-3">
          <div className="flex items-start justify-between gap-4">
            <div className="flex min-w-0 flex-wrap items-center gap-1.5">
              <CategoryBadge category={product.category} />
              {product.format ? <Badge>{formatNames[product.format]}</Badge> : null}
              {product.mine ? <Badge>Yours</Badge> : null}
            </div>
            <p className="shrink-0 text-18 leading-5.5 font-semibold text-ink">
              <Price cents={product.priceCents} />
            </p>
          </div>
          {product.description ? (
            <Markdown text={product.description} className="text-14 text-ink-2" />
          ) : (
            <p className="text-14 text-ink-3">No description provided</p>
          )}
          <ProductTags tags={product.tags} onTag={onTag} />
          <p className="text-13 text-ink-3">Sold on {product.marketplaceName}</p>
        </div>
      </div>
      <p
        className={
          'mt-5 rounded-10 border border-line bg-sunken px-3.5 ' + 'py-2.5 text-13 text-pretty text-ink-2'
        }
      >
        {product.mine
          ? 'This is how other members see your product. They don’t see who sells it.'
          : unwanted?.endsAt
            ? `You took your mark back. You can be offered it again from ${formatDate(unwanted.endsAt)} on.`
            : unwanted
              ? 'You marked it as not for you, so you aren’t offered it.'
              : 'Members don’t choose what they review. If the draw picks you, you get an offer.'}
      </p>
      <DialogFooter>
        {product.mine ? (
          <LinkButton href={paths.assets()}>My Products</LinkButton>
        ) : unwanted ? (
          unwanted.endsAt ? null : (
            <Button icon={<Undo2 aria-hidden="true" />} onClick={() => setMarking({ product, of: 'back' })}>
              Take it back
            </Button>
          )
        ) : (
          <Button icon={<Ban aria-hidden="true" />} onClick={() => setMarking({ product, of: 'product' })}>
            Not for me
          </Button>
        )}
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
      <NotForMeDialog mark={marking} onClose={() => setMarking(null)} />
    </>
  )
}

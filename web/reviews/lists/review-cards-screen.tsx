import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Package } from 'lucide-react'
import { cardsWidth } from '#contract/receipts.ts'
import type { CardSwitch } from '#contract/receipts.ts'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { CopyButton } from '#web/kit/ui/copy-button.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { Switch } from '#web/kit/ui/switch.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { ProductImage } from '#web/products/product-image.tsx'

/** /reviews/cards: for each product, whether its reviews are shown on the seller's own site, and how. */
export function ReviewCardsScreen() {
  return (
    <Page>
      <PageHeader
        breadcrumb={[{ label: 'Reviews', href: paths.reviews('received') }]}
        title="Review cards"
        help="Show the verified reviews of a product on your own site: all of them, newest first, or none."
      />
      <Products />
      <p className="max-w-reading text-13 text-pretty text-ink-2">
        A card shows the text with its disclosure, the day and a receipt, and no stars. It never names the
        reviewer. The picture needs no script and sets no cookie, and we don’t count who sees it. New reviews
        appear in it within a few minutes.
      </p>
    </Page>
  )
}

function Products() {
  const query = useInfiniteQuery(
    api.reviews.listReviewCards.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const products = query.data?.pages.flatMap(({ items }) => items)
  if (products === undefined) {
    return query.isError ? (
      <Card padding="none">
        <ErrorState
          title="Your review cards could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          error={query.error}
        />
      </Card>
    ) : (
      <Loading label="Loading your review cards" className="flex flex-col gap-4">
        <Skeleton className="h-24 rounded-12" />
        <Skeleton className="h-24 rounded-12" />
      </Loading>
    )
  }
  if (products.length === 0) {
    return (
      <Card padding="none">
        <EmptyState
          icon={<Package />}
          title="No product yet"
          action={
            <LinkButton href={paths.assets()} variant="primary">
              My Products
            </LinkButton>
          }
        >
          Connect a product and get it reviewed. Its verified reviews become cards for your site.
        </EmptyState>
      </Card>
    )
  }
  return (
    <>
      <ul aria-label="Your products" className="flex flex-col gap-4">
        {products.map((product) => (
          <li key={product.productId}>
            <ProductCards product={product} />
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <Card padding="none">
          <LoadMore
            shown={products.length}
            noun={['product', 'products']}
            hasMore
            busy={query.isFetchingNextPage}
            onLoadMore={() => void query.fetchNextPage()}
          />
        </Card>
      ) : null}
    </>
  )
}

function ProductCards({ product }: { product: CardSwitch }) {
  const queries = useQueryClient()
  const show = useMutation(
    api.reviews.showReviewCards.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: api.reviews.listReviewCards.key() }),
      onError: (error) =>
        toast({
          title: 'The cards could not be switched',
          description: refusalMessage(error, 'Nothing was changed. Try again in a moment.'),
          tone: 'danger',
        }),
    }),
  )
  const { productId, title, category, image, reviews, shown, key } = product
  const isOn = show.isPending ? show.variables.shown : shown
  return (
    <Card>
      <div className="flex items-start gap-4">
        <ProductImage
          imageId={image}
          category={category}
          sizes="48px"
          className="size-12 shrink-0 rounded-8 border border-line"
        />
        <div className="min-w-0 flex-1">
          <h2 className="text-16 font-semibold wrap-anywhere text-ink">{title}</h2>
          <p className="mt-0.5 text-13 text-pretty text-ink-2">{countLabel(product)}</p>
        </div>
        <Switch
          label={`Show the review cards of ${title}`}
          hideLabel
          checked={isOn}
          disabled={show.isPending}
          onCheckedChange={(next) => show.mutate({ id: productId, shown: next })}
        />
      </div>
      {shown && key ? <Embed title={title} address={key} reviews={reviews} /> : null}
    </Card>
  )
}

function countLabel({ reviews, lane, shown }: CardSwitch): string {
  if (lane === 'private' && reviews === 0) {
    return 'Reviews on this marketplace are private feedback for you, so there is nothing to show.'
  }
  if (reviews === 0) return 'No public review yet. Reviews appear here automatically.'
  const all = reviews === 1 ? '1 review' : `All ${reviews} reviews`
  return shown ? `${all} shown.` : `${all} to show.`
}

function Embed({ title, address, reviews }: { title: string; address: string; reviews: number }) {
  const code = snippet(title, address)
  return (
    <div className="mt-5 grid gap-5 border-t border-line pt-5 lg:grid-cols-2">
      <div className="min-w-0">
        <h3 className="text-14 font-semibold text-ink">Preview</h3>
        <img
          src={paths.cardsPicture(address)}
          alt={`The newest of ${reviews} review cards, each with its disclosure`}
          width={cardsWidth}
          className="mt-3 h-auto max-h-120 w-full rounded-12 border border-line object-contain object-top"
        />
      </div>
      <div className="min-w-0">
        <h3 className="text-14 font-semibold text-ink">For your site</h3>
        <p className="mt-1 text-13 text-pretty text-ink-2">
          Paste this where the cards should appear. It leads to{' '}
          <TextLink href={paths.cards(address)} external>
            the page with all of them
          </TextLink>{' '}
          and their receipts.
        </p>
        <pre
          aria-label="HTML for your site"
          // It scrolls, so the keyboard has to reach it.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="mt-3 overflow-x-auto rounded-8 border border-line bg-sunken p-3 text-12 text-ink"
        >
          {code}
        </pre>
        <div className="mt-3">
          <CopyButton text={code} label="Copy the HTML" />
        </div>
      </div>
    </div>
  )
}

function snippet(title: string, key: string): string {
  const escaped = title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return [
    `<a href="${location.origin}${paths.cards(key)}">`,
    `  <img src="${location.origin}${paths.cardsPicture(key)}" width="${cardsWidth}" loading="lazy"`,
    `    style="max-width: 100%; height: auto" alt="Reviews of ${escaped}, each with its disclosure">`,
    '</a>',
  ].join('\n')
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { Compass, Flame } from 'lucide-react'
import { trendingDays } from '#contract/discover.ts'
import { days } from '#contract/format.ts'
import { api } from '#web/api.ts'
import { productsFreshMs } from '#web/kit/query.ts'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { paths } from '#web/paths.ts'
import { CategoryFilter, readCategory } from './category-filter.tsx'
import { LiveProductDialog } from './live-product-dialog.tsx'
import { LiveProducts } from './live-products.tsx'
import { useOpenProduct } from './use-open-product.ts'
import type { Write } from './use-open-product.ts'

type TrendingSearch = { category?: string; product?: string }

type TrendingScreenProps = TrendingSearch & {
  onSearch: Write<TrendingSearch>
  /** Shows the products with a tag. */
  onTag: (tag: string) => void
}

/** /trending: the products with the most exchanges completed in seven days. */
export function TrendingScreen({ product, onSearch, onTag, ...search }: TrendingScreenProps) {
  const { open, close } = useOpenProduct<TrendingSearch>(search, onSearch)
  const category = readCategory(search.category)
  const query = useInfiniteQuery(
    api.discover.listTrendingProducts.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor, category }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      staleTime: productsFreshMs,
      gcTime: 30 * 60_000,
    }),
  )
  return (
    <Page>
      <PageHeader
        title="Trending"
        help={
          `The products with the most exchanges completed in ${days(trendingDays)}. ` +
          'What reviewers said doesn’t count.'
        }
        action={
          <LinkButton href={paths.discover()} icon={<Compass aria-hidden="true" />}>
            Discover
          </LinkButton>
        }
      />
      <CategoryFilter value={category} onValueChange={(next) => onSearch({ category: next }, 'replace')} />
      <LiveProducts
        label="Trending products"
        query={query}
        ranked
        onOpen={open}
        onTag={onTag}
        empty={
          <EmptyState
            icon={<Flame />}
            title={category ? 'Nothing in this category' : 'Nothing trends right now'}
            action={<LinkButton href={paths.discover({ category })}>Discover</LinkButton>}
          >
            A product appears here once an exchange of it is completed. The list follows within ten minutes.
          </EmptyState>
        }
      />
      <LiveProductDialog id={product} onClose={close} onTag={onTag} />
    </Page>
  )
}

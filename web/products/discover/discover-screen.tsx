import { useInfiniteQuery } from '@tanstack/react-query'
import { Compass, Flame, SearchX, X } from 'lucide-react'
import { api } from '#web/api.ts'
import { productsFreshMs } from '#web/kit/query.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { SearchField } from '#web/kit/ui/search-field.tsx'
import { paths } from '#web/paths.ts'
import { CategoryFilter, readCategory } from './category-filter.tsx'
import { LiveProductDialog } from './live-product-dialog.tsx'
import { LiveProducts } from './live-products.tsx'
import { useOpenProduct } from './use-open-product.ts'
import type { Write } from './use-open-product.ts'

/** What the address says: the filter, and the product that is open. */
type DiscoverSearch = { category?: string; tag?: string; q?: string; product?: string }

type DiscoverScreenProps = DiscoverSearch & {
  onSearch: Write<DiscoverSearch>
}

/** /discover: the club's live products. */
export function DiscoverScreen({ product, onSearch, ...search }: DiscoverScreenProps) {
  const { tag, q } = search
  const { open, close } = useOpenProduct<DiscoverSearch>(search, onSearch)
  const category = readCategory(search.category)
  const filter = { category, tag: tag?.slice(0, 40), search: q?.slice(0, 100) }
  const query = useInfiniteQuery(
    api.discover.listLiveProducts.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor, ...filter }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      staleTime: productsFreshMs,
      gcTime: keptMs,
    }),
  )
  const isFiltered = category !== undefined || Boolean(tag) || Boolean(q)
  const byTag = (next: string) => onSearch({ tag: next }, 'push')
  return (
    <Page>
      <PageHeader
        title="Discover"
        help="What the club makes. The order changes every day, and the draw decides who reviews what."
        action={
          <LinkButton href={paths.trending()} icon={<Flame aria-hidden="true" />}>
            Trending
          </LinkButton>
        }
      />
      <div className="flex flex-col gap-3">
        <SearchField
          label="Search products"
          placeholder="Search titles and tags"
          value={q ?? ''}
          onSearch={(text) => onSearch({ ...search, q: text || undefined }, 'replace')}
        />
        <CategoryFilter
          value={category}
          onValueChange={(next) => onSearch({ ...search, category: next }, 'replace')}
        />
        {tag ? (
          <Button
            size="sm"
            className="self-start"
            trailingIcon={<X aria-hidden="true" />}
            aria-label={`Remove the tag ${tag}`}
            onClick={() => onSearch({ ...search, tag: undefined }, 'replace')}
          >
            <span className="max-w-64 truncate">Tag: {tag}</span>
          </Button>
        ) : null}
      </div>
      <LiveProducts
        label="The club’s products"
        query={query}
        onOpen={open}
        onTag={byTag}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<SearchX />}
              title="Nothing found"
              action={<Button onClick={() => onSearch({}, 'replace')}>Show all products</Button>}
            >
              No product in the rotation fits. Try fewer words or another category.
            </EmptyState>
          ) : (
            <EmptyState
              icon={<Compass />}
              title="No products yet"
              action={
                <LinkButton href={paths.assets()} variant="primary">
                  My Products
                </LinkButton>
              }
            >
              Products appear here as soon as members connect them. Yours can be the first.
            </EmptyState>
          )
        }
      />
      <LiveProductDialog id={product} onClose={close} onTag={byTag} />
    </Page>
  )
}

/** For how long the list is kept, so that coming back finds its place. */
const keptMs = 30 * 60_000

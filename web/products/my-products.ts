import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { productsFreshMs } from '#web/kit/query.ts'

/** My products in the rotation, in my own order. */
export function useMyProducts() {
  return useQuery({ ...api.products.listProducts.queryOptions(), staleTime: productsFreshMs })
}

/** My archived products as far as they were loaded, the latest archived first. */
export function useArchivedProducts() {
  const query = useInfiniteQuery({
    ...api.products.listArchivedProducts.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
    staleTime: productsFreshMs,
  })
  return { ...query, products: query.data?.pages.flatMap(({ items }) => items) ?? [] }
}

/** The keys of both lists. */
export const myProductLists = () => [api.products.listProducts.key(), api.products.listArchivedProducts.key()]

export function refetchMyProducts(queryClient: QueryClient) {
  for (const queryKey of myProductLists()) void queryClient.invalidateQueries({ queryKey })
}

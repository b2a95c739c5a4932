import { useQuery } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { productsFreshMs } from '#web/kit/query.ts'

/** My products, newest first: those in the rotation, and the archived ones. */
export function useMyProducts() {
  const query = useQuery({ ...api.products.listProducts.queryOptions(), staleTime: productsFreshMs })
  return {
    ...query,
    live: query.data?.filter(({ archived }) => !archived) ?? [],
    archived: query.data?.filter(({ archived }) => archived) ?? [],
  }
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProductCard as Product } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { toast } from '#web/kit/ui/toast.tsx'

/** Moves a product of this list to another place in it, which the page shows at once. */
export function useMoveProduct(products: readonly Product[]) {
  const queryClient = useQueryClient()
  const queryKey = api.products.listProducts.queryKey()
  const move = useMutation(
    api.products.moveProduct.mutationOptions({
      onMutate: ({ id, after }) => {
        queryClient.setQueryData(queryKey, (all) => all && moved(all, id, after))
      },
      onError: (error) =>
        toast({
          title: 'The order was not saved',
          description: refusalMessage(error, 'Please try again.'),
          tone: 'danger',
        }),
      onSettled: () => queryClient.invalidateQueries({ queryKey }),
    }),
  )

  return function moveTo(id: string, place: number) {
    const from = products.findIndex((each) => each.id === id)
    const others = products.filter((each) => each.id !== id)
    if (from === place || !products[place]) return
    move.mutate({ id, after: others[place - 1]?.id ?? null })
  }
}

function moved(all: Product[], id: string, after: string | null): Product[] {
  const product = all.find((each) => each.id === id)
  if (!product) return all
  const others = all.filter((each) => each.id !== id)
  const place = after === null ? 0 : others.findIndex((each) => each.id === after) + 1
  return others.toSpliced(place, 0, product)
}

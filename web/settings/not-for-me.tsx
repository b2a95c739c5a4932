import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { unwantedLimits } from '#contract/matching-rules.ts'
import type { UnwantedOffer } from '#contract/matching.ts'
import { categoryNames } from '#contract/products.ts'
import { count, days } from '#contract/format.ts'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatDate, formatDateTime } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'

const { products, categories, shareLeft, waitDays } = unwantedLimits
const wait = days(waitDays)

/** The products and categories that the member marked as never to be offered. */
export function NotForMe({ marks }: { marks: readonly UnwantedOffer[] }) {
  const queryClient = useQueryClient()
  const takeBack = useMutation(
    api.matching.takeBackUnwanted.mutationOptions({
      onSuccess: ({ endsAt }) =>
        toast({
          title: 'Taken back',
          description: `It still counts until ${formatDate(endsAt)}.`,
          tone: 'success',
        }),
      onError: (error) =>
        toast({
          title: 'Your choice was not saved',
          description: refusalMessage(error, 'Please try again.'),
          tone: 'danger',
        }),
      onSettled: () =>
        Promise.all([
          queryClient.invalidateQueries({ queryKey: api.matching.listUnwantedOffers.key() }),
          queryClient.invalidateQueries({ queryKey: api.discover.key() }),
        ]),
    }),
  )
  const used = marks.filter(({ category }) => category !== null).length
  return (
    <Card
      level={3}
      title="Not for me"
      help={
        `Mark up to ${count(products, 'product')} and ${count(categories, 'category', 'categories')}. ` +
        `With the formats above, you must leave ${Math.round(100 * shareLeft)}% of the other members’ ` +
        `products, so that no one picks what they review. If you undo a mark, it still counts for ${wait}. ` +
        'Marks don’t count as declines.'
      }
      padding="none"
    >
      {marks.length === 0 ? (
        <EmptyState
          icon={<Ban />}
          title="Nothing marked"
          action={<LinkButton href={paths.discover()}>Discover</LinkButton>}
        >
          Choose “Not for me” on a product, and you won’t be offered it.
        </EmptyState>
      ) : (
        <>
          <ul className="divide-y divide-line">
            {marks.map((mark) => (
              <li key={mark.id} className="flex items-center justify-between gap-4 px-5 py-4">
                <span className="min-w-0">
                  <span className="block text-14 font-medium wrap-anywhere text-ink">{nameOf(mark)}</span>
                  <span className="block text-13 text-ink-2">
                    {mark.endsAt ? (
                      <>
                        Taken back, counts until{' '}
                        <time dateTime={mark.endsAt}>{formatDateTime(mark.endsAt)}</time>
                      </>
                    ) : (
                      <>
                        Since <time dateTime={mark.createdAt}>{formatDate(mark.createdAt)}</time>
                      </>
                    )}
                  </span>
                </span>
                {mark.endsAt ? null : (
                  <Button
                    aria-label={`Take back ${nameOf(mark)}`}
                    busy={takeBack.isPending && takeBack.variables.id === mark.id}
                    onClick={() => takeBack.mutate({ id: mark.id })}
                  >
                    Take back
                  </Button>
                )}
              </li>
            ))}
          </ul>
          <p className="tabular border-t border-line px-5 py-3 text-13 text-ink-3">
            {marks.length - used} of {count(products, 'product')}, {used} of{' '}
            {count(categories, 'category', 'categories')}
          </p>
        </>
      )}
    </Card>
  )
}

function nameOf({ category, title }: UnwantedOffer): string {
  return category ? `Category: ${categoryNames[category]}` : (title ?? 'A product that was deleted')
}

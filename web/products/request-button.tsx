import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { ReviewRequest } from '#contract/matching.ts'
import type { ProductCard as Product } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { formatDateTime, formatDuration } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import type { ButtonSize } from '#web/kit/ui/button.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { Tooltip } from '#web/kit/ui/tooltip.tsx'
import { paths } from '#web/paths.ts'
import { AlertButton, canAddAlert } from './asking/ask-alert.tsx'
import { askForReview } from './asking/ask-for-review.ts'
import { queuePlace } from './waiting/queue-place.ts'

type RequestButtonProps = { product: Product; size?: ButtonSize; wide?: boolean }

/** Asks for a review. The label shows the state of the request. A disabled button says why it is disabled. */
export function RequestButton({ product, size = 'md', wide = false }: RequestButtonProps) {
  const { ask, asking } = useAskForReview(product)
  const look = { size, wide }
  switch (requestState(product)) {
    case 'queued':
      return <QueuedButton product={product} {...look} />
    case 'offered':
      return (
        <Button {...look} disabledReason="We’ve asked a member, who hasn’t answered yet.">
          Waiting for response
        </Button>
      )
    case 'on_hold':
      return (
        <Button {...look} disabledReason="Your request keeps its place. “Why am I waiting?” says until when.">
          On hold
        </Button>
      )
    case 'in_review':
      return (
        <Button
          {...look}
          disabledReason={
            product.request?.path?.writtenAt
              ? 'The review is written and not final yet. Your dashboard leads to it.'
              : 'A member has accepted and is reviewing this product.'
          }
        >
          In Review
        </Button>
      )
    case 'completed':
      return (
        <LinkButton {...look} href={paths.receivedReview(product.request?.completedReviewId ?? '')}>
          See Review
        </LinkButton>
      )
    case 'idle':
      if (canAddAlert(product)) return <AlertButton product={product} {...look} />
      return (
        <Button
          {...look}
          variant="primary"
          busy={asking}
          disabledReason={product.askRefusal && whyNot(product.askRefusal)}
          onClick={ask}
        >
          Get Reviewed
        </Button>
      )
  }
}

/** A press only shows the tooltip, for devices where nothing can hover. */
function QueuedButton({ product, size, wide }: RequestButtonProps) {
  const textId = useId()
  const text = useQueueLabel(product)
  return (
    <>
      <Tooltip content={text} delay={150} repeatsName onPress>
        <Button size={size} wide={wide} icon={<Spinner />} aria-describedby={textId}>
          Finding reviewer...
        </Button>
      </Tooltip>
      <span id={textId} hidden>
        {text}
      </span>
    </>
  )
}

type RequestState = 'idle' | 'queued' | 'on_hold' | 'offered' | 'in_review' | 'completed'

/** What the button shows. A request that ended without a review counts as idle. */
export function requestState({ request }: Pick<Product, 'request'>): RequestState {
  switch (request?.status) {
    case 'queued':
    case 'offered':
    case 'in_review':
      return request.status
    case 'completed':
      return request.completedReviewId ? 'completed' : 'idle'
    case 'held':
      return 'on_hold'
    case 'cancelled':
    case 'lapsed':
    case undefined:
      return 'idle'
  }
}

/** Whether a product was reviewed, so that it can be requested again. */
export function isReviewed(product: Pick<Product, 'request' | 'archived'>): boolean {
  return requestState(product) === 'completed' && !product.archived
}

/** Whether a product has a request that no member has been asked for. */
export function isWaiting({ request }: Pick<Product, 'request'>): boolean {
  return request?.status === 'queued' || request?.status === 'held'
}

/** Why the product cannot be requested now, and when it can be. */
export function whyNot({ message, at, alert }: NonNullable<Product['askRefusal']>): string {
  if (at) return `${message} You can ask again on ${formatDateTime(at)}.`
  return alert ? `${message} We’ll notify you when you can.` : message
}

/**
 * Asks for a review of a product and shows the result in a toast. `asking` is shared by all buttons of a
 * product.
 */
export function useAskForReview({ id, askRefusal }: Pick<Product, 'id' | 'askRefusal'>) {
  const queryClient = useQueryClient()
  const mutationKey = ['products', 'ask', id]
  const asking = useIsMutating({ mutationKey }) > 0
  const { mutate } = useMutation({
    mutationFn: askForReview,
    mutationKey,
    onSuccess: (request) => {
      showRequest(request)
      toast({
        title: 'Review Requested',
        description: 'Finding a reviewer for your product...',
        tone: 'success',
      })
    },
    onError: (error) =>
      toast({
        title: 'Error',
        description: refusalMessage(error, 'Failed to request review. Please try again.'),
        tone: 'danger',
      }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: api.products.listProducts.key() })
      void queryClient.invalidateQueries({ queryKey: api.matching.getBalance.key() })
    },
  })

  // The answer has the new state already, so the button changes before the list has loaded again.
  function showRequest({
    id: queueId,
    status,
    createdAt,
  }: Pick<ReviewRequest, 'id' | 'status' | 'createdAt'>) {
    queryClient.setQueryData(api.products.listProducts.queryKey(), (products) =>
      products?.map((product) =>
        product.id === id
          ? { ...product, request: { id: queueId, status, createdAt, completedReviewId: null, path: null } }
          : product,
      ),
    )
  }

  function ask() {
    if (!asking && !askRefusal) mutate(id)
  }

  return { ask, asking }
}

/** The place in the queue and the typical wait, as text. */
export function useQueueLabel({ request }: Pick<Product, 'request'>): string {
  const queued = request?.status === 'queued' ? request.id : null
  const { data } = useQuery(
    api.matching.getRequest.queryOptions({ input: { id: queued ?? '' }, enabled: queued !== null }),
  )
  if (!data?.position) return 'Waiting in the queue for a reviewer.'
  const [first = '', ...rest] = queuePlace(data.position)
  const place = `${first.toUpperCase()}${rest.join('')} in the queue.`
  if (data.typicalWaitHours === null) return place
  return `${place} Typical wait: ${formatDuration(data.typicalWaitHours * 3_600_000)}.`
}

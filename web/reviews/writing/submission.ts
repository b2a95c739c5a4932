import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { focusPage } from '#web/reviews/focus-page.ts'

type Submission = Parameters<typeof client.reviews.submitReview>[0]

/** Submits a review. A retry with the same content has no second effect. */
export function useSubmit(review: ReviewWorkspace, stopSaving: () => void) {
  const queries = useQueryClient()
  // The idempotency key belongs to the content: other content is another submission.
  const attempt = useRef({ content: '', key: '' })
  return useMutation({
    mutationFn: (submission: Submission) => {
      const content = JSON.stringify(submission)
      if (attempt.current.content !== content) attempt.current = { content, key: crypto.randomUUID() }
      return client.reviews.submitReview(submission, { context: { idempotencyKey: attempt.current.key } })
    },
    onSuccess: async () => {
      stopSaving()
      await queries.invalidateQueries({ queryKey: api.reviews.key() })
      void queries.invalidateQueries({ queryKey: api.matching.getBalance.key() })
      focusPage()
      toast({ title: 'Review submitted', description: 'The seller checks it next.', tone: 'success' })
    },
    onError: (error) => {
      if (refusalCode(error) === 'NOT_WRITABLE') {
        void queries.invalidateQueries({ queryKey: api.reviews.getReview.key({ input: { id: review.id } }) })
      }
    },
  })
}

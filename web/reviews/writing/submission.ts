import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { useRepeatableCall } from '#web/kit/repeatable-call.ts'
import { toast } from '#web/kit/ui/toast.tsx'
import { focusTop } from '#web/kit/focus-page.ts'

type Submission = Parameters<typeof client.reviews.submitReview>[0]

/** Submits a review. A retry with the same content has no second effect. */
export function useSubmit(review: ReviewWorkspace, stopSaving: () => void) {
  const queries = useQueryClient()
  const send = useRepeatableCall()
  return useMutation({
    mutationFn: (submission: Submission) =>
      send(submission, (context) => client.reviews.submitReview(submission, { context })),
    onSuccess: async () => {
      stopSaving()
      await queries.invalidateQueries({ queryKey: api.reviews.key() })
      void queries.invalidateQueries({ queryKey: api.matching.getBalance.key() })
      focusTop()
      toast({ title: 'Review submitted', description: 'The seller checks it next.', tone: 'success' })
    },
    onError: (error) => {
      if (refusalCode(error) === 'NOT_WRITABLE') {
        void queries.invalidateQueries({ queryKey: api.reviews.getReview.key({ input: { id: review.id } }) })
      }
    },
  })
}

import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { withoutDisclosure } from '#contract/reviews.ts'
import type { Draft, ReviewWorkspace } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { createAutosave } from './autosave.ts'
import type { SaveState } from './autosave.ts'

type KeptDraft = {
  draft: Draft
  change: (part: Partial<Draft>) => void
  saveState: SaveState
  /** The text as it was last saved, which is the one to ask the server about. */
  savedText: string
  /** Ends the saving, once the review is handed in. */
  stop: () => void
}

/**
 * The draft of a review, kept on the server while it is written. It begins with what the server has; from then on the
 * page is ahead, and answers that arrive meanwhile do not touch it.
 */
export function useDraft(review: ReviewWorkspace): KeptDraft {
  const queries = useQueryClient()
  const { id } = review
  const [draft, setDraft] = useState<Draft>(() => ({
    ...review.draft,
    text: withoutDisclosure(review.draft.text, review.marketplace.disclosure),
  }))
  const [savedText, setSavedText] = useState(draft.text)
  const [autosave] = useState(() =>
    createAutosave<Draft>(
      async (draft) => {
        const { savedAt } = await client.reviews.saveDraft({ id, draft })
        setSavedText(draft.text)
        keepDraft(queries, id, draft)
        return savedAt
      },
      (error) => refusalCode(error) === 'NOT_WRITABLE',
    ),
  )
  const saveState = useSyncExternalStore(autosave.onState, autosave.state)

  function change(part: Partial<Draft>) {
    const next = { ...draft, ...part }
    setDraft(next)
    autosave.change(next)
  }

  // Leaving the page or the window must not lose what was typed in the last second.
  useEffect(() => {
    const saveHidden = () => document.visibilityState === 'hidden' && autosave.flush()
    const warn = (event: BeforeUnloadEvent) => autosave.isUnsaved() && event.preventDefault()
    document.addEventListener('visibilitychange', saveHidden)
    window.addEventListener('beforeunload', warn)
    return () => {
      autosave.flush()
      keepDraft(queries, id, autosave.newest())
      document.removeEventListener('visibilitychange', saveHidden)
      window.removeEventListener('beforeunload', warn)
    }
  }, [autosave, queries, id])

  return { draft, change, saveState, savedText, stop: autosave.stop }
}

/** What else shows the review sees the draft too; whoever leaves and comes back finds what was typed, saved or not. */
function keepDraft(queries: QueryClient, id: string, draft: Draft | undefined) {
  const queryKey = api.reviews.getReview.queryKey({ input: { id } })
  if (!draft) return
  queries.setQueryData(queryKey, (was) => (was ? { ...was, draft } : was), {
    // The answer is no younger for it: its server time still belongs to the moment when it came.
    updatedAt: queries.getQueryState(queryKey)?.dataUpdatedAt,
  })
}

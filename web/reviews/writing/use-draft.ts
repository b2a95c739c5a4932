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
  /** The text as last saved. Near-duplicates are checked for this text. */
  savedText: string
  /** Stops saving, once the review is submitted. */
  stop: () => void
}

/**
 * The draft of a review, saved to the server while it is written. It starts with the server's draft. After
 * that the page is newer, so answers of the server do not change it.
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

  // What was typed in the last second must not be lost when the page or the window closes.
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

/** Puts the draft into the query cache, so that it is still there, saved or not, when the member returns. */
function keepDraft(queries: QueryClient, id: string, draft: Draft | undefined) {
  const queryKey = api.reviews.getReview.queryKey({ input: { id } })
  if (!draft) return
  queries.setQueryData(queryKey, (was) => (was ? { ...was, draft } : was), {
    // The time of the answer stays, because its server time belongs to the moment it arrived.
    updatedAt: queries.getQueryState(queryKey)?.dataUpdatedAt,
  })
}

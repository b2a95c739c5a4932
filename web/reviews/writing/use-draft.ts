import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { withoutDisclosure } from '#contract/review-text.ts'
import type { Draft, ReviewWorkspace } from '#contract/reviews.ts'
import { api, client } from '#web/api.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { createAutosave } from './autosave.ts'
import type { SaveState } from './autosave.ts'
import { isTooLong } from './too-long.ts'

type KeptDraft = {
  draft: Draft
  change: (part: Partial<Draft>) => void
  saveState: SaveState
  /** The text as last saved. Near-duplicates are checked for this text. */
  savedText: string
  /** A draft that was saved in another tab or on another device meanwhile, if any. */
  newer: SavedDraft | null
  /** Saves this page's draft over the newer one. */
  keepMine: () => void
  /** Continues with the newer draft instead of this page's. */
  takeNewer: () => void
  /** Stops saving, once the review is submitted. */
  stop: () => void
}

/** A draft as the server has it. Its text has no disclosure. */
export type SavedDraft = { draft: Draft; savedAt: string | null }

/**
 * The draft of a review, saved to the server while it is written. It starts with the server's draft. After
 * that the page is newer, so answers of the server do not change it.
 */
export function useDraft(review: ReviewWorkspace): KeptDraft {
  const queries = useQueryClient()
  const { id } = review
  const [draft, setDraft] = useState(() => readDraft(review).draft)
  const [savedText, setSavedText] = useState(draft.text)
  const [newer, setNewer] = useState<SavedDraft | null>(null)
  // The save that this page's draft changes.
  const basedOn = useRef(review.draftSavedAt)

  async function save(draft: Draft): Promise<string> {
    try {
      const { savedAt } = await client.reviews.saveDraft({ id, draft, basedOn: basedOn.current })
      return savedAt
    } catch (error) {
      if (refusalCode(error) !== 'DRAFT_NEWER') throw error
      const found = readDraft(await client.reviews.getReview({ id }))
      // An earlier save of the same draft succeeded, but its answer was lost.
      if (found.savedAt !== null && isSame(found.draft, draft)) return found.savedAt
      setNewer(found)
      throw error
    }
  }

  // The save runs later, never while this renders.
  // oxlint-disable-next-line react/refs
  const [autosave] = useState(() =>
    createAutosave<Draft>(
      async (draft) => {
        const savedAt = await save(draft)
        basedOn.current = savedAt
        setSavedText(draft.text)
        keepDraft(queries, id, draft, savedAt)
        return savedAt
      },
      (error) => isTooLong(error) || ['NOT_WRITABLE', 'DRAFT_NEWER'].includes(refusalCode(error) ?? ''),
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

  function settle(kept: Draft) {
    if (!newer) return
    basedOn.current = newer.savedAt
    setNewer(null)
    setDraft(kept)
  }

  function keepMine() {
    settle(draft)
    autosave.change(draft)
    autosave.flush()
  }

  function takeNewer() {
    if (!newer) return
    settle(newer.draft)
    setSavedText(newer.draft.text)
    autosave.stop()
    keepDraft(queries, id, newer.draft, newer.savedAt)
  }

  return { draft, change, saveState, savedText, newer, keepMine, takeNewer, stop: autosave.stop }
}

function readDraft({ draft, draftSavedAt, marketplace }: ReviewWorkspace): SavedDraft {
  const text = withoutDisclosure(draft.text, marketplace.disclosure)
  return { draft: { ...draft, text }, savedAt: draftSavedAt }
}

function isSame(one: Draft, other: Draft): boolean {
  return (Object.keys(one) as (keyof Draft)[]).every((key) => one[key] === other[key])
}

/** Puts the draft into the query cache, so that it is still there, saved or not, when the member returns. */
function keepDraft(queries: QueryClient, id: string, draft: Draft | undefined, savedAt?: string | null) {
  const queryKey = api.reviews.getReview.queryKey({ input: { id } })
  if (!draft) return
  const saved = savedAt === undefined ? {} : { draftSavedAt: savedAt }
  queries.setQueryData(queryKey, (was) => (was ? { ...was, draft, ...saved } : was), {
    // The time of the answer stays, because its server time belongs to the moment it arrived.
    updatedAt: queries.getQueryState(queryKey)?.dataUpdatedAt,
  })
}

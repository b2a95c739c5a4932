import { focusManager, useQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Offer } from '#contract/matching.ts'
import { api } from '#web/api.ts'
import { useServerClock } from './server-clock.ts'

/*
 * A member has one open offer at a time. It is either shown in the dialog or set aside in the top bar. This
 * module keeps which of the two, because the dialog and the top bar are separate parts of the page.
 */

type Stage = {
  offer: Offer | null
  open: boolean
  /** Whether it opened without a press of the member. */
  byItself: boolean
}

const empty: Stage = { offer: null, open: false, byItself: false }
let stage = empty
const watchers = new Set<() => void>()

function setStage(next: Stage) {
  stage = next
  for (const watcher of watchers) watcher()
}

/** Shows an offer in the dialog. */
export function showOffer(offer: Offer, { byItself = false } = {}): void {
  setStage({ offer, open: true, byItself })
}

/** Hides the dialog, without an answer to the offer. */
export function hideOffer(): void {
  setStage({ ...stage, open: false })
}

/** Clears the offer, so that the next person who signs in does not see it. */
export function clearOffer(): void {
  setStage(empty)
}

export function useOfferStage(): Stage {
  return useSyncExternalStore(
    (changed) => {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    () => stage,
    () => empty,
  )
}

/**
 * The offer that has no answer yet, if any. A tab in the background does not ask: what the server sent counts
 * as seen, and an offer that a member saw and let pass counts as a refusal.
 */
export function useCurrentOffer(): { offer: Offer | null; loaded: boolean } {
  const isVisible = useSyncExternalStore(
    (changed) => focusManager.subscribe(changed),
    () => focusManager.isFocused(),
  )
  const query = useQuery({ ...api.matching.findCurrentOffer.queryOptions(), enabled: isVisible })
  useServerClock(query)
  return { offer: query.data ?? null, loaded: query.isSuccess }
}

/** The same, as the server has it now. */
export function fetchCurrentOffer(queries: QueryClient): Promise<Offer | null> {
  return queries.fetchQuery(api.matching.findCurrentOffer.queryOptions({ staleTime: 0 }))
}

/** Identifies one offer. A request may be offered to the same member again later, so its id is not enough. */
export function offerKey(offer: Pick<Offer, 'queueId' | 'offeredAt'>): string {
  return `${offer.queueId} ${offer.offeredAt}`
}

/**
 * Whether an offer must wait: the focused field has text, a form has unsaved changes, or another dialog or
 * menu is open.
 */
export function isOccupied(): boolean {
  return isTyping(document.activeElement) || document.querySelector(occupying) !== null
}

/** Whether a form on the page has changes that leaving the page would lose. */
export function hasUnsavedForm(): boolean {
  return document.querySelector(unsavedForm) !== null
}

const unsavedForm = 'form[data-unsaved]'

// A toast is a dialog to assistive technology, but it does not hold the focus.
const occupying = [
  unsavedForm,
  ':is([role=dialog], [role=alertdialog]):not(.toast)',
  '[role=menu]',
  '[role=listbox]',
].join(',')

const nonTextTypes = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
])

function isTyping(focused: Element | null): boolean {
  if (focused instanceof HTMLTextAreaElement) return focused.value !== ''
  if (focused instanceof HTMLInputElement) return !nonTextTypes.has(focused.type) && focused.value !== ''
  return focused instanceof HTMLElement && focused.isContentEditable && focused.textContent !== ''
}

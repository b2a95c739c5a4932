import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RefCallback } from 'react'

type ListKeys = {
  /** The number of rows that are shown. */
  count: number
  /** Opens the row of this index. A row that is a link or a button opens itself. */
  onOpen: (index: number) => void
  /** Asked to go below the last row: a list with further pages loads the next one. */
  onEnd?: () => void
}

/** What a row of the list gets. It takes the focus from the keyboard only by j and k. */
type RowProps = {
  ref: RefCallback<HTMLElement>
  tabIndex: -1
  onFocus: () => void
  'data-current': true | undefined
}

/**
 * The keys of a list: j and k move to the next and the previous row, and Enter opens it. They do nothing
 * while a text is typed or a dialog or menu is open. `index` is the current row, null before the first key.
 */
export function useListKeys({ count, onOpen, onEnd }: ListKeys): {
  index: number | null
  rowProps: (index: number) => RowProps
} {
  const rows = useRef(new Map<number, HTMLElement>())
  const [chosen, setChosen] = useState<number | null>(null)
  const index = chosen === null || count === 0 ? null : Math.min(chosen, count - 1)

  function move(to: number) {
    setChosen(to)
    const row = rows.current.get(to)
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isForTheList(event)) return
    if (event.key === 'Enter') {
      const row = index === null ? undefined : rows.current.get(index)
      if (index === null || !row || event.target !== row || row.matches('a, button')) return
      event.preventDefault()
      return onOpen(index)
    }
    const next = event.key === 'j' ? (index ?? -1) + 1 : (index ?? 1) - 1
    event.preventDefault()
    if (next >= count) onEnd?.()
    move(Math.max(0, Math.min(next, count - 1)))
  })

  // The keys work wherever the focus is on the page, so they are listened to on the document.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  return {
    index,
    rowProps: (at) => ({
      ref: (row) => {
        if (!row) return
        rows.current.set(at, row)
        return () => void rows.current.delete(at)
      },
      tabIndex: -1,
      onFocus: () => setChosen(at),
      'data-current': at === index || undefined,
    }),
  }
}

const keys = new Set(['j', 'k', 'Enter'])
const typing = 'input, textarea, select, [contenteditable], [role=combobox]'
// A toast has the role of a dialog, but covers nothing.
const covering = '[role=dialog]:not(.toast), [role=alertdialog]:not(.toast), [role=listbox], [role=menu]'

function isForTheList(event: KeyboardEvent) {
  return keys.has(event.key) && isForThePage(event)
}

/** Whether a key without Ctrl is meant for the page: no text is typed, and no dialog or menu is open. */
export function isForThePage({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent) {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return false
  if (target instanceof Element && target.closest(typing)) return false
  return document.querySelector(covering) === null
}

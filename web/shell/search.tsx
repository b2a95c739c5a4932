import { useEffect, useEffectEvent, useState } from 'react'
import { SearchTrigger } from '#web/kit/frames/frame.tsx'
import { lazy } from '#web/kit/lazy.ts'
import { useLazy, windowMissing } from '#web/kit/use-lazy.ts'

const loadDialog = lazy(() => import('./search-dialog.tsx'))

/**
 * The search box of the top bar. Ctrl+K opens it anywhere, and / outside of text fields. Text typed while the
 * dialog's code is still loading is kept for it.
 */
export function Search() {
  const { parts, want, reach } = useLazy(loadDialog, windowMissing)
  const [stage, setStage] = useState<'closed' | 'opening' | 'open'>('closed')
  const [text, setText] = useState('')

  async function open() {
    if (stage !== 'closed') return
    setText('')
    setStage('opening')
    if (!(await want())) setStage('closed')
  }

  function keep(event: KeyboardEvent) {
    if (event.key === 'Escape') return setStage('closed')
    const edit = editBy(event)
    if (!edit) return
    event.preventDefault()
    setText(edit)
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Pressing the first key of the shortcut preloads the code, which has often arrived by the second key.
    if (event.key === 'Control' || event.key === 'Meta') reach()
    if (event.defaultPrevented) return
    if (stage === 'opening') return keep(event)
    if (!isShortcut(event) || isCovered()) return
    event.preventDefault()
    void open()
  })
  // The shortcut works on the whole page, wherever the focus is.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <SearchTrigger onOpen={() => void open()} />
      {parts && stage !== 'closed' ? (
        <parts.SearchDialog
          text={text}
          onText={setText}
          onReady={() => setStage('open')}
          onClose={() => setStage('closed')}
        />
      ) : null}
    </>
  )
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !altKey
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isForTyping(target)
}

/** The edit that a key makes to the search text before the input exists; null for any other key. */
function editBy(event: KeyboardEvent): ((text: string) => string) | null {
  const { key } = event
  if (key === 'Backspace') return (text) => text.slice(0, -1)
  // These keys change no text, but must not reach the page or the browser while the search is opening.
  if (key === 'Enter' || (key !== '/' && isShortcut(event))) return (text) => text
  // AltGr types characters like @ and counts as Ctrl and Alt on some systems.
  const isCommand = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph')
  return key.length === 1 && !isCommand ? (text) => text + key : null
}

function isForTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** Whether another dialog already covers the page. */
function isCovered(): boolean {
  return document.querySelector('[role=dialog][data-open], [role=alertdialog][data-open]') !== null
}

import { useEffect, useEffectEvent, useState } from 'react'
import { SearchTrigger } from '#web/kit/frame.tsx'
import { late } from '#web/kit/late.ts'
import { useLate, windowMissing } from '#web/kit/use-late.ts'

const loadDialog = late(() => import('./search-dialog.tsx'))

/** The search box of the top bar. Ctrl+K opens it anywhere, and / where nobody is typing. */
export function Search() {
  const { parts, want, reach } = useLate(loadDialog, windowMissing)
  const [isOpen, setOpen] = useState(false)

  async function open() {
    if (await want()) setOpen(true)
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // The first key of the shortcut is the hint: by the next one the window is there, and no letter is lost.
    if (event.key === 'Control' || event.key === 'Meta') reach()
    if (event.defaultPrevented || !isShortcut(event) || isCovered()) return
    event.preventDefault()
    void open()
  })
  // The shortcut belongs to the whole page, whatever has the focus.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <SearchTrigger onOpen={() => void open()} />
      {parts && isOpen ? <parts.SearchDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !altKey
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isForTyping(target)
}

function isForTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** Another window stands over the page already. */
function isCovered(): boolean {
  return document.querySelector('[role=dialog][data-open], [role=alertdialog][data-open]') !== null
}

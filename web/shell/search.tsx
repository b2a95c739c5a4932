import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { SearchTrigger } from '#web/kit/frame.tsx'

const loadDialog = () => import('./search-dialog.tsx')
const SearchDialog = lazy(async () => ({ default: (await loadDialog()).SearchDialog }))

/** The search box of the top bar. Ctrl+K opens it anywhere, and / where nobody is typing. */
export function Search() {
  const [isOpen, setOpen] = useState(false)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !isShortcut(event) || isCovered()) return
    event.preventDefault()
    setOpen(true)
  })
  // The shortcut belongs to the whole page, whatever has the focus.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <SearchTrigger onOpen={() => setOpen(true)} />
      <Suspense fallback={null}>{isOpen ? <SearchDialog onClose={() => setOpen(false)} /> : null}</Suspense>
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

import { useEffect, useEffectEvent, useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog } from '#web/kit/ui/dialog.tsx'
import { Kbd } from '#web/kit/ui/kbd.tsx'
import { isForThePage } from './list-keys.ts'

type Shortcut = {
  key: string
  does: string
  /** Absent for a key that the list or the browser handles itself. */
  run?: () => void
}

/**
 * The keys of a page, and a button that lists them; `?` opens the list too. They do nothing while a text is
 * typed or a dialog or menu is open; Escape leaves the text.
 */
export function Shortcuts({ keys }: { keys: readonly Shortcut[] }): ReactNode {
  const [open, setOpen] = useState(false)
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (leavesField(event)) return
    if (!isForThePage(event)) return
    if (event.key === '?') return setOpen(true)
    const found = keys.find(({ key, run }) => run && key === event.key)
    if (!found?.run) return
    // The letter must not be typed into the field that the shortcut moves to.
    event.preventDefault()
    found.run()
  })

  // The keys work wherever the focus is on the page, so they are listened to on the document.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        className="pointer-coarse:hidden"
        trailingIcon={<Kbd>?</Kbd>}
        onClick={() => setOpen(true)}
      >
        Shortcuts
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Keyboard shortcuts" size="sm">
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2.5 text-14">
          {keys.map(({ key, does }) => (
            <div key={key} className="contents">
              <dt>
                <Kbd>{key}</Kbd>
              </dt>
              <dd className="text-ink-2">{does}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  )
}

/** Escape takes the focus out of a text of the page, so that its keys work again. Whether it did. */
function leavesField({ key, target, defaultPrevented }: KeyboardEvent) {
  const isText = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement
  if (key !== 'Escape' || defaultPrevented || !isText || target.closest('[role$="dialog"]')) return false
  target.blur()
  return true
}

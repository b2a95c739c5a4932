import { cloneElement, useId, useRef, useState } from 'react'
import type { ComponentProps, KeyboardEvent, MouseEvent, ReactElement, ReactNode } from 'react'
import { lazy } from '#web/kit/lazy.ts'
import { menuMissing, useLazy } from '#web/kit/use-lazy.ts'
import type { MenuItem } from './menu-item.ts'

type MenuProps = {
  /** The button that opens it. */
  trigger: ReactElement<ComponentProps<'button'>>
  items: readonly MenuItem[]
  /** Above the items, for example the member's name. */
  header?: ReactNode
  align?: 'start' | 'end'
}

/** A button that opens a list of actions. The list's code is loaded when the pointer reaches the button. */
export function Menu({ trigger, items, header, align = 'end' }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const { parts, want, reach } = useLazy(loadList, menuMissing)
  const [open, setOpen] = useState(false)
  const [firstWanted, setFirstWanted] = useState(false)

  async function show(byKeyboard: boolean) {
    if (!(await want())) return
    setFirstWanted(byKeyboard)
    setOpen(true)
  }

  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        id: `${id}-button`,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? `${id}-list` : undefined,
        onPointerEnter: reach,
        // A click without a pointer comes from Enter or Space.
        onClick: (event: MouseEvent) => void show(event.detail === 0),
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          void show(true)
        },
      })}
      {parts ? (
        <parts.MenuList
          id={`${id}-list`}
          open={open}
          onOpenChange={setOpen}
          button={button}
          buttonId={`${id}-button`}
          items={items}
          header={header}
          align={align}
          firstWanted={firstWanted}
          onFirstTaken={() => setFirstWanted(false)}
        />
      ) : null}
    </>
  )
}

const loadList = lazy(() => import('./menu-list.tsx'))

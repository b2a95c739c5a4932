import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactNode, RefObject } from 'react'
import { cx } from './cx.ts'
import { Link } from './link.tsx'
import type { MenuItem } from './menu-item.ts'
import { usePortalHome } from './portal-home.ts'

type MenuListProps = {
  id: string
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The menu's button, which positions it, names it and gets the focus back. */
  button: RefObject<HTMLElement | null>
  buttonId: string
  items: readonly MenuItem[]
  header?: ReactNode
  align: 'start' | 'end'
  /** Whether the first item takes the focus, once, because the menu was opened by keyboard. */
  firstWanted: boolean
  onFirstTaken: () => void
}

/** The list of a `Menu`, loaded when a menu is about to open. */
export function MenuList({
  id,
  open,
  onOpenChange,
  button,
  buttonId,
  items,
  header,
  align,
  firstWanted,
  onFirstTaken,
}: MenuListProps) {
  const home = usePortalHome()
  return (
    <BaseMenu.Root open={open} onOpenChange={onOpenChange}>
      <BaseMenu.Portal container={home}>
        <BaseMenu.Positioner
          anchor={button}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-60"
        >
          <BaseMenu.Popup
            id={id}
            aria-labelledby={buttonId}
            finalFocus={button}
            onFocus={(event) => {
              // Base UI focuses the list. With the keyboard the first item should have the focus.
              if (!firstWanted || event.target !== event.currentTarget) return
              onFirstTaken()
              event.currentTarget.querySelector<HTMLElement>('[role=menuitem]')?.focus()
            }}
            className="floating popup max-w-72 min-w-48 rounded-10 p-1"
          >
            {header ? <div className="mb-1 border-b border-line px-2.5 pt-1.5 pb-2.5">{header}</div> : null}
            {items.map((item, index) =>
              item === 'separator' ? (
                <BaseMenu.Separator key={`separator-${String(index)}`} className="my-1 h-px bg-line" />
              ) : (
                <Row key={item.label} item={item} />
              ),
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

function Row({ item }: { item: Exclude<MenuItem, 'separator'> }) {
  const look = cx(
    'flex min-h-8 cursor-default items-center gap-2.5 rounded-6 px-2.5 py-1.5 text-14 outline-none ' +
      'select-none pointer-coarse:min-h-10',
    'data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0',
    item.tone === 'danger'
      ? 'text-danger-ink data-highlighted:bg-danger-soft'
      : 'text-ink [&_svg]:text-ink-3',
    item.disabledReason && 'text-ink-3!',
  )
  const content = (
    <>
      {item.icon}
      <span className="min-w-0">
        {item.label}
        {item.disabledReason ? (
          <span className="block text-12 text-pretty">{item.disabledReason}</span>
        ) : null}
      </span>
    </>
  )
  if (item.href && !item.disabledReason) {
    return (
      <BaseMenu.LinkItem
        closeOnClick
        render={<Link href={item.href} external={item.external} />}
        className={look}
      >
        {content}
      </BaseMenu.LinkItem>
    )
  }
  return (
    <BaseMenu.Item disabled={Boolean(item.disabledReason)} onClick={item.onSelect} className={look}>
      {content}
    </BaseMenu.Item>
  )
}

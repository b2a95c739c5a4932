import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Link } from './link.tsx'
import { usePortalHome } from './portal-home.ts'

export type MenuItem =
  | 'separator'
  | {
      label: string
      icon?: ReactNode
      tone?: 'danger'
      /** Shown under the label; the item cannot be chosen, but it can be found. */
      disabledReason?: string | false | null
      onSelect?: () => void
      /** A link instead of a deed. */
      href?: string
      external?: boolean
    }

type MenuProps = {
  /** The button that opens it. */
  trigger: ReactElement
  items: readonly MenuItem[]
  /** Above the items, such as the name of who is signed in. */
  header?: ReactNode
  align?: 'start' | 'end'
}

/** A list of deeds behind one button. */
export function Menu({ trigger, items, header, align = 'end' }: MenuProps) {
  const home = usePortalHome()
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal container={home}>
        <BaseMenu.Positioner align={align} sideOffset={6} collisionPadding={8} className="z-60">
          <BaseMenu.Popup className="floating popup min-w-48 max-w-72 rounded-10 p-1">
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
    'flex min-h-8 cursor-default items-center gap-2.5 rounded-6 px-2.5 py-1.5 text-14 outline-none select-none pointer-coarse:min-h-10',
    'data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0',
    item.tone === 'danger'
      ? 'text-danger-ink data-highlighted:bg-danger-soft'
      : 'text-ink [&_svg]:text-ink-3',
    item.disabledReason && 'text-ink-3!',
  )
  const words = (
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
        {words}
      </BaseMenu.LinkItem>
    )
  }
  return (
    <BaseMenu.Item disabled={Boolean(item.disabledReason)} onClick={item.onSelect} className={look}>
      {words}
    </BaseMenu.Item>
  )
}

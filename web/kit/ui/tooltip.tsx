import { mergeProps } from '@base-ui/react/merge-props'
import { cloneElement, useEffect, useId, useState } from 'react'
import type { FocusEvent, HTMLAttributes, KeyboardEvent, PointerEvent, ReactElement, ReactNode } from 'react'

type Side = 'top' | 'right' | 'bottom' | 'left'

type TooltipProps = {
  content: ReactNode
  /** The control that the tooltip explains. It must pass its props on to its element. */
  children: ReactElement<HTMLAttributes<HTMLElement>>
  side?: Side
  /** Milliseconds of hovering before it opens. On keyboard focus it opens at once. */
  delay?: number
  /** The content is already the control's name, so screen readers do not read it twice. */
  repeatsName?: boolean
  /** Opens it on press too, for controls that otherwise do nothing when pressed. */
  onPress?: boolean
}

/**
 * A short text beside a control on hover and focus; Escape closes it. Never put essential information only
 * here. It uses the browser's popover, which is above every dialog and needs little code.
 */
export function Tooltip({
  content,
  children,
  side = 'top',
  delay = 400,
  repeatsName = false,
  onPress = false,
}: TooltipProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [wait] = useState(createWait)

  // A control may unmount before its tooltip opens.
  useEffect(() => wait.stop, [wait])

  function open(target: HTMLElement, milliseconds: number) {
    wait.start(milliseconds, () => setAnchor(target))
  }

  function closeSoon() {
    if (anchor) noteShown()
    wait.start(grace, () => setAnchor(null))
  }

  // At once: a pointer that rests where the tooltip opened may enter it meanwhile, and would keep it open.
  function close() {
    if (anchor) noteShown()
    wait.stop()
    setAnchor(null)
  }

  const handlers: HTMLAttributes<HTMLElement> = {
    onPointerEnter: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType !== 'touch') open(event.currentTarget, shownJustNow() ? 0 : delay)
    },
    onPointerLeave: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType !== 'touch') closeSoon()
    },
    onFocus: (event: FocusEvent<HTMLElement>) => {
      if (event.target.matches(':focus-visible')) open(event.currentTarget, 0)
    },
    onBlur: close,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== 'Escape' || !anchor) return
      // Escape closes the tooltip first, and the dialog around it next.
      event.stopPropagation()
      close()
    },
    onClick: (event) => {
      if (onPress) open(event.currentTarget, 0)
    },
  }
  const described =
    anchor && !repeatsName
      ? { 'aria-describedby': [children.props['aria-describedby'], id].filter(Boolean).join(' ') }
      : {}

  return (
    <>
      {cloneElement(children, { ...mergeProps<'div'>(children.props, handlers), ...described })}
      {anchor ? (
        <span
          id={id}
          ref={(bubble) => place(bubble, anchor, side, () => setAnchor(null))}
          popover="manual"
          role="tooltip"
          onPointerEnter={wait.stop}
          onPointerLeave={closeSoon}
          className={
            'tooltip fixed inset-auto m-0 w-max max-w-64 rounded-6 border-0 bg-ink px-2 py-1 ' +
            'text-left text-12 font-normal text-pretty whitespace-normal text-on-ink forced-colors:border'
          }
        >
          {content}
        </span>
      ) : null}
    </>
  )
}

/** How long the pointer may take from the control to the tooltip, in milliseconds. */
const grace = 80

function createWait() {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    start: (milliseconds: number, action: () => void) => {
      clearTimeout(timer)
      timer = setTimeout(action, milliseconds)
    },
    stop: () => clearTimeout(timer),
  }
}

let lastShown = 0

function noteShown() {
  lastShown = Date.now()
}

/** When the pointer moves along a row of controls, only the first tooltip opens with a delay. */
function shownJustNow() {
  return Date.now() - lastShown < 300
}

const gap = 6
const margin = 8

/** Places the bubble beside its anchor, or on the other side if it does not fit, always inside the window. */
function place(bubble: HTMLElement | null, anchor: HTMLElement, side: Side, onMoved: () => void) {
  if (!bubble) return
  bubble.showPopover()
  const around = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = bubble
  const places: Record<Side, { left: number; top: number }> = {
    top: { left: around.left + (around.width - width) / 2, top: around.top - height - gap },
    bottom: { left: around.left + (around.width - width) / 2, top: around.bottom + gap },
    left: { left: around.left - width - gap, top: around.top + (around.height - height) / 2 },
    right: { left: around.right + gap, top: around.top + (around.height - height) / 2 },
  }
  const fits = ({ left, top }: { left: number; top: number }) =>
    side === 'top' || side === 'bottom'
      ? top >= margin && top + height <= innerHeight - margin
      : left >= margin && left + width <= innerWidth - margin
  const chosen = fits(places[side]) ? places[side] : places[opposite[side]]
  bubble.style.left = `${Math.min(Math.max(chosen.left, margin), innerWidth - width - margin)}px`
  bubble.style.top = `${Math.min(Math.max(chosen.top, margin), innerHeight - height - margin)}px`
  // The tooltip does not follow its anchor: it closes when the page scrolls.
  addEventListener('scroll', onMoved, { capture: true, passive: true })
  addEventListener('resize', onMoved)
  return () => {
    removeEventListener('scroll', onMoved, { capture: true })
    removeEventListener('resize', onMoved)
  }
}

const opposite: Record<Side, Side> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }

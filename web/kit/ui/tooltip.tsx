import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'
import { usePortalHome } from './portal-home.ts'

type TooltipProps = {
  content: ReactNode
  /** The control that the tooltip explains; it must take a ref and spread its props. */
  children: ReactElement
  side?: 'top' | 'right' | 'bottom' | 'left'
  delay?: number
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** A few words beside a control, on hover and focus. Never the only place of something people must know. */
export function Tooltip({ content, children, side = 'top', delay = 400, open, onOpenChange }: TooltipProps) {
  const home = usePortalHome()
  return (
    <BaseTooltip.Root open={open} onOpenChange={onOpenChange}>
      <BaseTooltip.Trigger render={children} delay={delay} closeOnClick={false} />
      <BaseTooltip.Portal container={home}>
        <BaseTooltip.Positioner side={side} sideOffset={6} collisionPadding={8} className="z-70">
          <BaseTooltip.Popup className={cx(tooltipLook, 'popup')}>{content}</BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  )
}

const tooltipLook =
  'max-w-64 rounded-6 bg-ink px-2 py-1 text-12 text-on-ink text-pretty forced-colors:border forced-colors:border-[CanvasText]'

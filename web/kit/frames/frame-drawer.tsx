import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { useBackCloses } from '../ui/use-back-closes.ts'

type FrameDrawerProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The button that opened the drawer and gets the focus back. */
  button: RefObject<HTMLElement | null>
  children: ReactNode
}

/**
 * The sidebar on small screens, which slides in over the page. Loaded when the pointer reaches its button.
 */
export function FrameDrawer({ open, onOpenChange, button, children }: FrameDrawerProps) {
  useBackCloses(open, () => {
    onOpenChange(false)
    return true
  })
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop
          className={
            'fixed inset-0 z-40 bg-(--scrim) transition-opacity duration-(--calm) ' +
            'data-ending-style:opacity-0 data-starting-style:opacity-0'
          }
        />
        <Dialog.Popup
          finalFocus={button}
          className={
            'floating fixed inset-y-0 left-0 z-50 flex w-[80vw] max-w-xs flex-col overscroll-contain ' +
            'pb-[env(safe-area-inset-bottom)] transition-transform duration-(--calm) ease-(--ease) ' +
            'data-ending-style:-translate-x-full data-starting-style:-translate-x-full'
          }
        >
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'
import { PortalHome } from './portal-home.ts'
import { useBackCloses } from './use-back-closes.ts'

type DialogProps = {
  open: boolean
  onOpenChange?: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  size?: 'sm' | 'md' | 'lg'
  /** The user cannot close it: it has no close button, and Escape and presses outside do nothing. */
  blocking?: boolean
  /** Keeps it open while an action runs, without hiding the close button. */
  busy?: boolean
  /**
   * It has just opened or changed by itself, so presses neither close it nor reach its buttons. `pointer`:
   * those of a pointer only, where the focus has moved to what changed.
   */
  ignoresInput?: boolean | 'pointer'
  /** Its address opens it, so Back leaves that address and the dialog closes by itself. */
  hasAddress?: boolean
  /** Beside the title, for example a ring with the time left. */
  aside?: ReactNode
  /** The element that gets the focus: by default the first control inside, never the close button. */
  initialFocus?: RefObject<HTMLElement | null>
  finalFocus?: RefObject<HTMLElement | null>
  children?: ReactNode
}

/**
 * A dialog over the page. It traps the focus and returns it when it closes. On phones it slides up from the
 * bottom. Back closes it like Escape. Put its buttons into a `DialogFooter`, inside the form if there is one.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = 'md',
  blocking = false,
  busy = false,
  ignoresInput = false,
  hasAddress = false,
  aside,
  initialFocus,
  finalFocus,
  children,
}: DialogProps) {
  useBackCloses(open && !hasAddress, () => {
    // It cannot be closed, or Back was meant for the page before it appeared.
    if (blocking || ignoresInput === true) return false
    if (!busy) onOpenChange?.(false)
    return true
  })
  return (
    <PortalHome value={null}>
      <BaseDialog.Root
        open={open}
        disablePointerDismissal={blocking}
        onOpenChange={(next, details) => {
          const ignored = ignoresInput === 'pointer' ? details.reason !== 'escape-key' : ignoresInput
          if (!next && (blocking || busy || ignored)) return details.cancel()
          onOpenChange?.(next)
        }}
      >
        <BaseDialog.Portal>
          <BaseDialog.Backdrop className={backdropLook} />
          <BaseDialog.Viewport
            className={viewportLook}
            // A press outside of a blocking dialog must not move the focus.
            onMouseDown={(event) =>
              blocking && event.target === event.currentTarget && event.preventDefault()
            }
          >
            <BaseDialog.Popup
              initialFocus={initialFocus}
              finalFocus={finalFocus}
              className={cx(popupLook, widths[size], ignoresInput && 'pointer-events-none')}
            >
              <div className="flex items-start gap-4 pr-9">
                <div className="min-w-0 flex-1">
                  <BaseDialog.Title className="text-18 font-semibold text-balance text-ink">
                    {title}
                  </BaseDialog.Title>
                  {description ? (
                    <BaseDialog.Description className="mt-1 text-14 text-pretty text-ink-2">
                      {description}
                    </BaseDialog.Description>
                  ) : null}
                </div>
                {aside}
              </div>
              {children ? <div className="mt-5">{children}</div> : null}
              {blocking ? null : (
                <BaseDialog.Close
                  render={
                    <IconButton
                      quiet
                      size="sm"
                      label="Close"
                      icon={<X />}
                      className="absolute top-4 right-4"
                    />
                  }
                />
              )}
            </BaseDialog.Popup>
          </BaseDialog.Viewport>
        </BaseDialog.Portal>
      </BaseDialog.Root>
    </PortalHome>
  )
}

/**
 * The dialog's buttons, the main one on the right. Sticks to the bottom while the rest scrolls in tall
 * windows.
 */
export function DialogFooter({ children, start }: { children: ReactNode; start?: ReactNode }) {
  return (
    <div
      className={
        'sticky -bottom-6 z-1 [@media(height<24rem)]:static -mx-6 mt-5 -mb-6 ' +
        'flex flex-wrap items-center justify-end gap-2 rounded-b-12 border-t border-line ' +
        'bg-raised px-6 py-4 pb-[max(1rem,env(safe-area-inset-bottom))] max-sm:*:grow'
      }
    >
      {start ? <div className="mr-auto min-w-0 text-13 text-ink-2">{start}</div> : null}
      {children}
    </div>
  )
}

export const backdropLook =
  'fixed inset-0 z-50 bg-(--scrim) transition-opacity duration-(--calm) ' +
  'data-ending-style:opacity-0 data-starting-style:opacity-0'

export const viewportLook =
  'fixed inset-0 z-50 flex items-end justify-center overflow-hidden sm:items-center sm:p-6'

export const popupLook = cx(
  'floating relative max-h-[92dvh] w-full ' +
    'overflow-x-hidden overflow-y-auto overscroll-contain rounded-t-16 p-6',
  'transition-[transform,opacity] duration-(--calm) ease-(--ease) sm:max-h-[min(46rem,100%)] sm:rounded-12',
  'data-ending-style:opacity-0 data-starting-style:opacity-0',
  'max-sm:data-ending-style:translate-y-6 max-sm:data-starting-style:translate-y-6',
  'sm:data-ending-style:scale-[0.98] sm:data-starting-style:scale-[0.98]',
)

const widths = { sm: 'sm:max-w-[26rem]', md: 'sm:max-w-[32rem]', lg: 'sm:max-w-[44rem]' }

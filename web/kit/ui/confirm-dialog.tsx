import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { refusalMessage } from '../refusal-messages.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { backdropLook, DialogFooter, popupLook, viewportLook } from './dialog.tsx'
import { PortalHome } from './portal-home.ts'
import { useBackCloses } from './use-back-closes.ts'

type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** What will happen, and whether it can be undone. */
  description: ReactNode
  confirmLabel: string
  busyLabel?: string
  cancelLabel?: string
  tone?: 'primary' | 'danger'
  /** Runs the action. The dialog closes when this resolves and shows the error's message when it rejects. */
  onConfirm: () => Promise<unknown> | void
  children?: ReactNode
}

/**
 * Asks before an action that is hard to undo. Cancel has the focus, and an error is shown above the buttons.
 */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  busyLabel,
  cancelLabel = 'Cancel',
  tone = 'danger',
  onConfirm,
  children,
}: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  function setOpen(next: boolean) {
    setError(null)
    onOpenChange(next)
  }

  useBackCloses(open, () => {
    if (!busy) setOpen(false)
    return true
  })

  async function confirm() {
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      onOpenChange(false)
    } catch (thrown) {
      setError(messageOf(thrown))
    } finally {
      setBusy(false)
    }
  }

  return (
    <PortalHome value={null}>
      <AlertDialog.Root
        open={open}
        onOpenChange={(next, details) => {
          if (busy) return details.cancel()
          setOpen(next)
        }}
      >
        <AlertDialog.Portal>
          <AlertDialog.Backdrop className={backdropLook} />
          <AlertDialog.Viewport className={viewportLook}>
            <AlertDialog.Popup initialFocus={cancel} className={cx(popupLook, 'sm:max-w-[26rem]')}>
              <AlertDialog.Title className="text-18 font-semibold text-balance text-ink">
                {title}
              </AlertDialog.Title>
              <AlertDialog.Description className="mt-1 text-14 text-pretty text-ink-2">
                {description}
              </AlertDialog.Description>
              {children ? <div className="mt-4">{children}</div> : null}
              {error ? (
                <Alert tone="danger" className="mt-4">
                  {error}
                </Alert>
              ) : null}
              <DialogFooter>
                <Button ref={cancel} onClick={() => setOpen(false)} disabled={busy}>
                  {cancelLabel}
                </Button>
                <Button variant={tone} busy={busy} busyLabel={busyLabel} onClick={() => void confirm()}>
                  {confirmLabel}
                </Button>
              </DialogFooter>
            </AlertDialog.Popup>
          </AlertDialog.Viewport>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </PortalHome>
  )
}

/** A browser's and a server's own messages are not written for people; those of our own errors are. */
function messageOf(thrown: unknown): string {
  const isOurs = thrown instanceof Error && !(thrown instanceof TypeError) && !('status' in thrown)
  return isOurs
    ? thrown.message
    : refusalMessage(thrown, 'That didn’t work. Nothing was changed. Try again in a minute.')
}

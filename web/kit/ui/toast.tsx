import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'

type ToastTone = 'neutral' | 'success' | 'info' | 'warning' | 'danger'

export type ToastMessage = {
  title: string
  description?: string
  tone?: ToastTone
  /** One action, for example Undo or View. */
  action?: { label: string; onClick: () => void }
}

const toasts = Toast.createToastManager<{ tone: ToastTone }>()

/**
 * Shows a message for 4 s. The time pauses while the toast is hovered or focused or the window is not. Works
 * outside React. Do not use it as the only place of an error that needs action.
 * @returns the id for `dismissToast`.
 */
export function toast({ title, description, tone = 'neutral', action }: ToastMessage): string {
  if (tone === 'danger') dismissSuccesses()
  const id = toasts.add({
    title,
    description,
    timeout: 4_000,
    // With high priority, Base UI hides the text from screen readers until it is announced, which axe
    // reports.
    priority: 'low',
    data: { tone },
    actionProps: action ? { children: action.label, onClick: action.onClick } : undefined,
    onRemove: () => void successes.delete(id),
  })
  if (tone === 'success') successes.add(id)
  return id
}

// A success that is still shown would contradict the error.
const successes = new Set<string>()

function dismissSuccesses(): void {
  for (const id of successes) dismissToast(id)
}

export function dismissToast(id: string): void {
  toasts.close(id)
}

/** Renders the toasts. Use it once, at the root. */
export function Toaster() {
  return (
    <Toast.Provider toastManager={toasts} timeout={4_000}>
      <Toast.Portal>
        <Toast.Viewport aria-label="Messages" className="toast-viewport outline-none">
          <Stack />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Stack() {
  const { toasts: shown } = Toast.useToastManager<{ tone: ToastTone }>()
  const phone = useIsPhone()
  return shown.map((item) => (
    <Toast.Root
      key={item.id}
      toast={item}
      swipeDirection={phone ? ['up', 'right'] : 'right'}
      className="toast floating rounded-10"
    >
      <Toast.Content
        className={
          'flex items-start gap-3 overflow-hidden py-3 pr-2 pl-3.5 transition-opacity ' +
          'data-behind:not-data-expanded:opacity-0'
        }
      >
        {icons[item.data?.tone ?? 'neutral']}
        <div className="min-w-0 flex-1 py-1">
          <Toast.Title render={<p />} className="text-14 font-medium text-ink" />
          <Toast.Description className="text-13 text-pretty text-ink-2" />
          {item.actionProps ? (
            <Toast.Action
              className={
                'mt-1.5 rounded-4 py-0.5 text-13 font-medium text-accent-ink ' +
                'underline decoration-accent-line underline-offset-3 hover:decoration-current'
              }
            />
          ) : null}
        </div>
        <Toast.Close
          render={<IconButton quiet size="sm" label="Dismiss" icon={<X />} className="h-7! w-7!" />}
        />
      </Toast.Content>
    </Toast.Root>
  ))
}

const iconLook = 'mt-1.5 shrink-0'

const icons: Record<ToastTone, ReactNode> = {
  neutral: null,
  success: <CircleCheck size={16} aria-hidden="true" className={cx(iconLook, 'text-success-ink')} />,
  info: <Info size={16} aria-hidden="true" className={cx(iconLook, 'text-info-ink')} />,
  warning: <TriangleAlert size={16} aria-hidden="true" className={cx(iconLook, 'text-warning-ink')} />,
  danger: <CircleAlert size={16} aria-hidden="true" className={cx(iconLook, 'text-danger-ink')} />,
}

function useIsPhone(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia('(width < 40rem)')
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => matchMedia('(width < 40rem)').matches,
    () => false,
  )
}

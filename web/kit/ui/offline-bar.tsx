import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useLiveStatus } from '../live.ts'

/** A bar shown while the server cannot be reached. */
export function OfflineBar() {
  const online = useOnline()
  const live = useLiveStatus()
  return <OfflineNotice shown={!online || live === 'lost'} offline={!online} />
}

/** The bar without its own state. */
export function OfflineNotice({ shown, offline }: { shown: boolean; offline: boolean }) {
  return (
    <output className="block">
      {shown ? (
        <span
          className={
            'flex min-h-9 items-center justify-center gap-2 border-b border-warning-line bg-warning-soft ' +
            'px-4 py-1.5 text-center text-13 text-warning-ink'
          }
        >
          <CloudOff size={14} aria-hidden="true" className="shrink-0" />
          {offline
            ? "You're offline. This page may be out of date. It updates when you're back online."
            : 'Reconnecting. This page may be a moment out of date.'}
        </span>
      ) : null}
    </output>
  )
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      addEventListener('online', changed)
      addEventListener('offline', changed)
      return () => {
        removeEventListener('online', changed)
        removeEventListener('offline', changed)
      }
    },
    () => navigator.onLine,
    () => true,
  )
}

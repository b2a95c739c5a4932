import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useLiveStatus } from '../live.ts'

/** A quiet bar while nothing can be reached. It says that work goes on by itself, and leaves by itself. */
export function OfflineBar() {
  const online = useOnline()
  const live = useLiveStatus()
  return <OfflineNotice shown={!online || live === 'lost'} offline={!online} />
}

/** The bar itself, by what it is told. */
export function OfflineNotice({ shown, offline }: { shown: boolean; offline: boolean }) {
  return (
    <output className="block">
      {shown ? (
        <span className="flex min-h-9 items-center justify-center gap-2 border-b border-warning-line bg-warning-soft px-4 py-1.5 text-center text-13 text-warning-ink">
          <CloudOff size={14} aria-hidden="true" className="shrink-0" />
          {offline
            ? 'You are offline. What you see may be old; it renews itself when you are back.'
            : 'The connection is being restored. What you see may be a moment old.'}
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

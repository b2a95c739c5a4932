import { useState } from 'react'
import { toast } from './ui/toast.tsx'
import type { ToastMessage } from './ui/toast.tsx'

/**
 * Components whose code is loaded when first needed. Create `load` with `lazy`, at module level. `want` loads
 * them, shows `missing` on failure and returns whether it succeeded. `reach` preloads them silently, for
 * example on hover.
 */
export function useLazy<Parts>(load: () => Promise<Parts>, missing: ToastMessage) {
  const [parts, setParts] = useState<Parts | null>(null)

  async function want(): Promise<boolean> {
    try {
      const loaded = await load()
      setParts(() => loaded)
      return true
    } catch {
      toast(missing)
      return false
    }
  }

  return { parts, want, reach: () => void load().catch(() => undefined) }
}

/** The toasts for a menu or dialog whose code could not be loaded. */
export const menuMissing = missing('The menu could not be loaded')
export const windowMissing = missing('The window could not be loaded')

function missing(title: string): ToastMessage {
  return { title, description: 'Check your connection and try again.', tone: 'warning' }
}

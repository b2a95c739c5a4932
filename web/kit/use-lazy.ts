import { useState } from 'react'
import { toast } from './ui/toast.tsx'
import type { ToastMessage } from './ui/toast.tsx'

/**
 * Parts of the screen whose code is loaded when they are first needed; make `load` with `late`, at module level.
 * `want` answers whether they are there now, and says `missing` when they could not be fetched. `reach` fetches them
 * beforehand, on a hint such as the pointer's arrival, and says nothing.
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

/** What is said when the code of a menu or a window could not be fetched. */
export const menuMissing = missing('The menu could not be loaded')
export const windowMissing = missing('The window could not be loaded')

function missing(title: string): ToastMessage {
  return { title, description: 'Check your connection and try again.', tone: 'warning' }
}

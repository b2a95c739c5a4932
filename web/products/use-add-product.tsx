import { useState } from 'react'
import { lazy } from '#web/kit/lazy.ts'
import { useLazy, windowMissing } from '#web/kit/use-lazy.ts'

const loadAddDialog = lazy(() => import('./add-product-dialog.tsx'))

/** The dialog for a new product, whose code is loaded when it is first opened. Render `dialog` anywhere. */
export function useAddProduct(onConnected?: () => void) {
  const { parts, want, reach } = useLazy(loadAddDialog, windowMissing)
  const [open, setOpen] = useState(false)

  async function show() {
    if (await want()) setOpen(true)
  }

  const dialog = parts ? (
    <parts.AddProductDialog open={open} onClose={() => setOpen(false)} onConnected={onConnected} />
  ) : null
  return { show: () => void show(), reach, dialog }
}

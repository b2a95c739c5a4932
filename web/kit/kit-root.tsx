import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactNode } from 'react'
import { LinkProvider } from './ui/link.tsx'
import type { LinkComponent } from './ui/link.tsx'
import { Toaster } from './ui/toast.tsx'

/** Provides what all kit components need: the router's link and the toasts. Render it once, at the root. */
export function KitRoot({ link = null, children }: { link?: LinkComponent | null; children: ReactNode }) {
  return (
    // The content security policy allows no style elements, so Base UI must not write any.
    <CSPProvider disableStyleElements>
      <LinkProvider value={link}>
        {children}
        <Toaster />
      </LinkProvider>
    </CSPProvider>
  )
}

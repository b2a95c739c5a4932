import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactNode } from 'react'
import { LinkProvider } from './ui/link.tsx'
import type { LinkComponent } from './ui/link.tsx'
import { Toaster } from './ui/toast.tsx'

/** What every kit part needs above it, once: the router's link and the place for toasts. */
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

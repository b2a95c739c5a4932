import type { ReactNode } from 'react'
import { SkipLink } from '#web/kit/ui/skip-link.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'

type SiteFrameProps = {
  /** The path of the page, to mark it where it is linked. */
  path: string
  signedIn: boolean
  demo: boolean
  children: ReactNode
}

/** What stands around every public page: the way past the navigation, header, the page's landmark, footer. */
export function SiteFrame({ path, signedIn, demo, children }: SiteFrameProps) {
  return (
    <>
      <SkipLink />
      <SiteHeader path={path} signedIn={signedIn} demo={demo} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter path={path} demo={demo} />
    </>
  )
}

import type { ReactNode } from 'react'
import { SkipLink } from '#web/kit/ui/skip-link.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'

type SiteFrameProps = {
  /** The path of the page, to mark its link as current. */
  path: string
  signedIn: boolean
  demo: boolean
  children: ReactNode
}

/** The frame of every public page: skip link, header, main landmark, footer. */
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

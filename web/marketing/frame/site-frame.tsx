import type { ReactNode } from 'react'
import type { PageGiven } from '#contract/pages.ts'
import { SkipLink } from '#web/kit/ui/skip-link.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'

type SiteFrameProps = {
  /** The path of the page, to mark its link as current. */
  path: string
  given: PageGiven
  children: ReactNode
}

/** The frame of every public page: skip link, header, main landmark, footer. */
export function SiteFrame({ path, given, children }: SiteFrameProps) {
  return (
    <>
      <SkipLink />
      <SiteHeader path={path} signedIn={given.signedIn} demo={given.demo} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter path={path} demo={given.demo} payments={given.payments} />
    </>
  )
}

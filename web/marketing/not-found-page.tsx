import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { PageHead } from './frame/page-head.tsx'

/** Any address that nothing is at. */
export function NotFoundPage() {
  return (
    <div className="grid min-h-[60dvh] content-center">
      <PageHead
        title="Oops! Page not found"
        lead="Nothing is at this address. It may have moved, or the link has a typing error."
      >
        <div className="mt-8 flex flex-wrap gap-3">
          <LinkButton href={paths.home()} variant="primary" size="lg">
            Return to Home
          </LinkButton>
          <LinkButton href={paths.help()} size="lg">
            Search the help
          </LinkButton>
        </div>
      </PageHead>
    </div>
  )
}

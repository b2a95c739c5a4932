import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { PageHead } from './frame/page-head.tsx'

/** The page for unknown addresses. */
export function NotFoundPage() {
  return (
    <div className="grid min-h-[60dvh] content-center">
      <PageHead
        title="Oops! Page not found"
        lead="There’s nothing at this address. The page may have moved, or the link may have a typo."
      >
        <div className="mt-8 flex flex-wrap gap-3">
          <LinkButton href={paths.home()} variant="primary" size="lg">
            Return to Home
          </LinkButton>
          <LinkButton href={paths.help()} size="lg">
            Search help
          </LinkButton>
        </div>
      </PageHead>
    </div>
  )
}

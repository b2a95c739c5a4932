import type { PageGiven } from '#contract/pages.ts'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { PageHead } from './frame/page-head.tsx'

/** In place of a page that could not be shown, or of what a button on it was to do. */
export function ProblemPage({ problem }: PageGiven) {
  return (
    <div className="grid min-h-[60dvh] content-center">
      <PageHead title="This did not work" lead={problem?.message ?? 'Something went wrong on our side.'}>
        <div className="mt-8 flex flex-wrap gap-3">
          <LinkButton href={problem?.again ?? paths.home()} variant="primary" size="lg">
            Try again
          </LinkButton>
          <LinkButton href={paths.status()} size="lg">
            See what works
          </LinkButton>
        </div>
      </PageHead>
    </div>
  )
}

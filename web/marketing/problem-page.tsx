import type { PageGiven } from '#contract/pages.ts'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { PageHead } from './frame/page-head.tsx'

/** Shown when a page or an action on it failed. */
export function ProblemPage({ problem }: PageGiven) {
  return (
    <div className="grid min-h-[60dvh] content-center">
      <PageHead title="That didn’t work" lead={problem?.message ?? 'Something went wrong on our side.'}>
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

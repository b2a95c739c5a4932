import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { Link } from '#web/kit/ui/link.tsx'
import { Logo } from '#web/kit/ui/logo.tsx'
import { paths } from '#web/paths.ts'

/** Shown for any unknown address. */
export function NotFoundScreen() {
  return (
    <main
      id="main"
      tabIndex={-1}
      className="flex min-h-dvh flex-col items-center justify-center px-6 py-16 text-center"
    >
      <Link href={paths.home()} aria-label="Evenhand, front page" className="mb-10 block rounded-8">
        <Logo size="lg" />
      </Link>
      <p className="tabular text-14 font-medium text-ink-3">404</p>
      <h1 id="page-title" tabIndex={-1} className="mt-1 text-28 font-semibold text-ink">
        Oops! Page not found
      </h1>
      <p className="mt-2 max-w-[44ch] text-14 text-balance text-ink-2">
        There's nothing at this address. The page may have moved, or the link may have a typo.
      </p>
      <LinkButton href={paths.home()} variant="primary" className="mt-6">
        Return to Home
      </LinkButton>
    </main>
  )
}

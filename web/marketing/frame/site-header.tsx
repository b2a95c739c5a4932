import { Menu, X } from 'lucide-react'
import { cx } from '#web/kit/ui/cx.ts'
import { DemoMark } from '#web/kit/ui/demo-mark.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { Logo, Mark } from '#web/kit/ui/logo.tsx'
import { paths } from '#web/paths.ts'

type SiteHeaderProps = { path: string; signedIn: boolean; demo: boolean }

const links = [
  { href: paths.features(), label: 'Features' },
  { href: paths.pricing(), label: 'Pricing' },
  { href: paths.faq(), label: 'FAQ' },
]

/** Stays at the top of every public page. Signed-in members go to the dashboard from here. */
export function SiteHeader({ path, signedIn, demo }: SiteHeaderProps) {
  return (
    <header className="site-header sticky top-0 z-30 border-b border-line">
      <div className="mx-auto flex h-16 max-w-content items-center gap-2 px-5 sm:px-6">
        <a href={paths.home()} aria-label="Evenhand, front page" className="flex shrink-0 rounded-6">
          <Mark className="hidden max-[23rem]:block" />
          <Logo className="max-[23rem]:hidden" />
        </a>
        {demo ? <DemoMark className="ml-1 shrink-0" /> : null}
        <nav aria-label="Main" className="not-printed ml-6 hidden md:block">
          <ul className="flex items-center gap-1">
            {links.map(({ href, label }) => (
              <li key={href}>
                <a
                  href={href}
                  aria-current={href === path ? 'page' : undefined}
                  className={cx(
                    'flex h-9 items-center rounded-8 px-3 text-14 font-medium text-ink-2',
                    'transition-colors hover:text-ink aria-[current]:text-ink aria-[current]:underline',
                    'aria-[current]:decoration-accent aria-[current]:decoration-2',
                    'aria-[current]:underline-offset-8',
                  )}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="not-printed ml-auto flex items-center gap-2">
          {signedIn ? (
            <LinkButton href={paths.dashboard()} variant="primary">
              Dashboard
            </LinkButton>
          ) : (
            <>
              <LinkButton href={paths.signIn()} variant="ghost" className="max-md:hidden">
                Log in
              </LinkButton>
              <LinkButton href={paths.signUp()} variant="primary">
                Join
              </LinkButton>
            </>
          )}
          <PhoneMenu path={path} signedIn={signedIn} />
        </div>
      </div>
    </header>
  )
}

/** Opens and closes without a script. The script closes it on Escape and on a click outside. */
function PhoneMenu({ path, signedIn }: Omit<SiteHeaderProps, 'demo'>) {
  const account = signedIn
    ? { href: paths.dashboard(), label: 'Dashboard' }
    : { href: paths.signIn(), label: 'Log in' }
  return (
    <details data-menu className="group/menu -mr-2 md:hidden">
      <summary
        aria-label="Menu"
        className={cx(
          'flex size-10 list-none items-center justify-center rounded-8 text-ink-2 hover:bg-sunken',
          'hover:text-ink [&::-webkit-details-marker]:hidden',
        )}
      >
        <Menu size={20} aria-hidden="true" className="group-open/menu:hidden" />
        <X size={20} aria-hidden="true" className="hidden group-open/menu:block" />
      </summary>
      <nav
        aria-label="Main, menu"
        className="floating absolute inset-x-3 top-[calc(100%+8px)] rounded-12 p-2"
      >
        <ul>
          {[...links, account].map(({ href, label }) => (
            <li key={href}>
              <a
                href={href}
                aria-current={href === path ? 'page' : undefined}
                className={cx(
                  'flex h-12 items-center rounded-8 px-3 text-16 font-medium text-ink hover:bg-sunken',
                  href === path && 'text-accent-ink',
                )}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  )
}

import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { isDemo } from '../ui/is-demo.ts'
import { DemoMark } from '../ui/demo-mark.tsx'
import { Link } from '../ui/link.tsx'
import { Logo } from '../ui/logo.tsx'
import { OfflineBar } from '../ui/offline-bar.tsx'
import { PortalHome } from '../ui/portal-home.ts'
import { SkipLink } from '../ui/skip-link.tsx'

type AuthFrameProps = {
  /** The title of the page and of the window. */
  title: string
  /** One or two sentences under the title. */
  help?: ReactNode
  /** An icon above the title. */
  icon?: ReactNode
  /** Below the card, for links to other screens. */
  foot?: ReactNode
  /** The target of the logo's link. */
  home?: string
  demo?: ReactNode
  children?: ReactNode
}

/** The frame of the sign-in pages: one centered card under the logo; on phones it fills the page. */
export function AuthFrame({ title, help, icon, foot, home = '/', demo, children }: AuthFrameProps) {
  const [main, setMain] = useState<HTMLElement | null>(null)

  // The window title and the focus are outside React. A new step is announced like a new page.
  useEffect(() => {
    document.title = `${title} · Evenhand`
    if (document.activeElement === document.body) document.getElementById('page-title')?.focus()
  }, [title])

  return (
    <PortalHome value={main}>
      <SkipLink />
      <div className="sticky top-0 z-30">
        <OfflineBar />
      </div>
      <div
        className={
          'flex min-h-dvh flex-col items-center ' +
          'px-4 pt-[max(2rem,8vh)] pb-10 max-sm:bg-surface max-sm:pt-8'
        }
      >
        <header className="mb-8 flex items-center gap-4 max-sm:self-start max-sm:px-1">
          <Link href={home} aria-label="Evenhand, front page" className="block rounded-8">
            <Logo size="lg" />
          </Link>
          {isDemo() ? <DemoMark /> : null}
        </header>
        <main
          ref={setMain}
          id="main"
          tabIndex={-1}
          className={
            'w-full max-w-[26rem] sm:rounded-16 sm:border sm:border-line ' +
            'sm:bg-surface sm:p-8 max-sm:px-1'
          }
        >
          {icon ? (
            <span
              aria-hidden="true"
              className={
                'mb-4 flex size-11 items-center justify-center rounded-12 border border-accent-line ' +
                'bg-accent-soft text-accent-ink [&_svg]:size-5'
              }
            >
              {icon}
            </span>
          ) : null}
          <h1 id="page-title" data-names-window="" tabIndex={-1} className="text-22 font-semibold text-ink">
            {title}
          </h1>
          {help ? <p className="mt-1.5 text-14 text-pretty text-ink-2">{help}</p> : null}
          {children ? <div className="mt-6">{children}</div> : null}
        </main>
        <footer
          className={
            'mt-6 w-full max-w-[26rem] text-center text-14 ' + 'text-ink-2 max-sm:px-1 max-sm:text-left'
          }
        >
          {foot}
          {demo ? <div className="mt-6">{demo}</div> : null}
        </footer>
      </div>
    </PortalHome>
  )
}

/** The 'or' between the provider's button and the form. */
export function OrDivider({ children = 'or' }: { children?: ReactNode }) {
  return (
    <div
      className={
        'my-5 flex items-center gap-3 text-12 text-ink-3 before:h-px before:flex-1 before:bg-line ' +
        'after:h-px after:flex-1 after:bg-line'
      }
    >
      {children}
    </div>
  )
}

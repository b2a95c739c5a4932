import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { screenRoots } from '#contract/screens.ts'

const roots: ReadonlySet<string> = new Set(screenRoots)

/**
 * A link to a page of our own. To a screen: the router follows it, and fetches the screen's code when the pointer or focus comes near. The
 * public pages are documents of their own, so the browser goes there.
 */
export function RouterLink({
  href,
  onClick,
  onFocus,
  onPointerEnter,
  children,
  ...props
}: ComponentProps<'a'> & { href: string }) {
  const router = useRouter()
  const { pathname } = new URL(href, location.origin)
  const isScreen = roots.has(pathname.split('/')[1] ?? '')

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (event.defaultPrevented || !isScreen || isForTheBrowser(event)) return
    event.preventDefault()
    void router.navigate({ href })
  }

  function prepare() {
    if (isScreen) void router.preloadRoute({ to: pathname })
  }

  return (
    <a
      {...props}
      href={href}
      onClick={follow}
      onFocus={(event) => {
        onFocus?.(event)
        prepare()
      }}
      onPointerEnter={(event) => {
        onPointerEnter?.(event)
        prepare()
      }}
    >
      {children}
    </a>
  )
}

/** A new tab, a new window, a download: what the browser does with a link on its own. */
function isForTheBrowser(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target, download } = event.currentTarget
  return (
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey ||
    (target !== '' && target !== '_self') ||
    download !== ''
  )
}

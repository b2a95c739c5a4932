import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { screenRoots } from '#contract/screens.ts'

const roots: ReadonlySet<string> = new Set(screenRoots)

/** Whether the router knows this address. The others are documents of their own. */
export function isScreen(href: string): boolean {
  const { pathname } = new URL(href, location.origin)
  return roots.has(pathname.split('/')[1] ?? '')
}

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
  const toScreen = isScreen(href)

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (event.defaultPrevented || !toScreen || isForTheBrowser(event)) return
    event.preventDefault()
    void router.navigate({ href })
  }

  function prepare() {
    if (toScreen) void router.preloadRoute({ to: new URL(href, location.origin).pathname })
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

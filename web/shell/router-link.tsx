import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { screenRoots } from '#contract/screens.ts'

const roots: ReadonlySet<string> = new Set(screenRoots)

/** Whether an address is a screen of the router. All others are separate documents. */
export function isScreen(href: string): boolean {
  const { pathname } = new URL(href, location.origin)
  return roots.has(pathname.split('/')[1] ?? '')
}

/**
 * A link within the product. The router opens screens, and preloads their code on hover and focus. The
 * browser opens the public pages, since they are separate documents.
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

/** Whether the browser should handle the click: a new tab, a new window or a download. */
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

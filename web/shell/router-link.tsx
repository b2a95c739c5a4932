import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

/** A link to a page of our own: the router follows it, and fetches the page's code when the pointer or focus comes near. */
export function RouterLink({
  href,
  onClick,
  onFocus,
  onPointerEnter,
  children,
  ...props
}: ComponentProps<'a'> & { href: string }) {
  const router = useRouter()

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (event.defaultPrevented || isForTheBrowser(event)) return
    event.preventDefault()
    void router.navigate({ href })
  }

  function prepare() {
    void router.preloadRoute({ to: new URL(href, location.origin).pathname })
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

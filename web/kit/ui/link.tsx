import { createContext, createElement, useContext } from 'react'
import type { ComponentProps, ComponentType } from 'react'

/** What the kit needs of a router's link: an anchor with an `href`. */
export type LinkComponent = ComponentType<ComponentProps<'a'> & { href: string }>

const RouterLink = createContext<LinkComponent | null>(null)

/** Gives every kit part below it the router's link. Without it, links are plain anchors. */
export const LinkProvider = RouterLink.Provider

/**
 * The one link of the kit. A path of our own goes through the router; anything else is a plain anchor, and with
 * `external` it opens in a new tab that cannot reach this one.
 */
export function Link({
  external = false,
  children,
  ...props
}: ComponentProps<'a'> & { href: string; external?: boolean }) {
  const routed = useContext(RouterLink)
  if (external) {
    return (
      <a {...props} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    )
  }
  if (routed && props.href.startsWith('/')) return createElement(routed, props, children)
  return <a {...props}>{children}</a>
}

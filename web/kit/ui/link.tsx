import { createContext, createElement, useContext } from 'react'
import type { ComponentProps, ComponentType } from 'react'

/** A router's link component for the kit: an anchor with an `href`. */
export type LinkComponent = ComponentType<ComponentProps<'a'> & { href: string }>

const RouterLink = createContext<LinkComponent | null>(null)

/** Provides the router's link to the kit. Without it, links are plain anchors. */
export const LinkProvider = RouterLink.Provider

/**
 * The kit's only link. The router opens our own paths; anything else is a plain anchor. With `external` it
 * opens in a new tab that has no access to this one.
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

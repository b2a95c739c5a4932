import { createContext, useContext } from 'react'

/**
 * The container of menus and lists: the page's main landmark, so that all content is inside a landmark. Null
 * inside a dialog, where they stay in the dialog.
 */
export const PortalHome = createContext<HTMLElement | null>(null)

export function usePortalHome(): HTMLElement | undefined {
  return useContext(PortalHome) ?? undefined
}

import { createContext, useContext } from 'react'

/**
 * Where menus, lists and tooltips are put: inside the page's main landmark, so that nothing floats outside every
 * landmark. Inside a dialog there is none, and they stay in the dialog.
 */
export const PortalHome = createContext<HTMLElement | null>(null)

export function usePortalHome(): HTMLElement | undefined {
  return useContext(PortalHome) ?? undefined
}

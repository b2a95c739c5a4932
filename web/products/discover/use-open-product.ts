import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'

/** Writes the address of a list: as a new entry of the history, or in place of this one. */
export type Write<S> = (search: S, how: 'push' | 'replace') => void

/**
 * Opens a product of a list in a dialog with an address of its own. Closing goes back to the entry of the
 * list, or replaces the address when the product was opened by its link.
 */
export function useOpenProduct<S extends { product?: string }>(list: S, write: Write<S>) {
  const router = useRouter()
  const isOpenedHere = useRef(false)
  return {
    open(product: string) {
      isOpenedHere.current = true
      write({ ...list, product }, 'push')
    },
    close() {
      if (isOpenedHere.current) router.history.back()
      else write({ ...list, product: undefined }, 'replace')
      isOpenedHere.current = false
    },
  }
}

import type { ReactNode } from 'react'

/** A key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd
      className={
        'inline-flex h-5 min-w-5 items-center justify-center rounded-4 border border-line bg-sunken ' +
        'px-1.5 font-sans text-12 font-medium text-ink-2'
      }
    >
      {children}
    </kbd>
  )
}

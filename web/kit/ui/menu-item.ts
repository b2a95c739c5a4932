import type { ReactNode } from 'react'

/** One line of a `Menu`: an action, a link, or the line between two groups of them. */
export type MenuItem =
  | 'separator'
  | {
      label: string
      icon?: ReactNode
      tone?: 'danger'
      /** Shown under the label; the item cannot be chosen, but it can be found. */
      disabledReason?: string | false | null
      onSelect?: () => void
      /** A link instead of an action. */
      href?: string
      external?: boolean
    }

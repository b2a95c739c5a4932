import type { ReactNode } from 'react'

/** One item of a `Menu`: an action, a link, or a separator. */
export type MenuItem =
  | 'separator'
  | {
      label: string
      icon?: ReactNode
      tone?: 'danger'
      /** Shown below the label. The item can be focused but not chosen. */
      disabledReason?: string | false | null
      onSelect?: () => void
      /** A link instead of an action. */
      href?: string
      external?: boolean
    }

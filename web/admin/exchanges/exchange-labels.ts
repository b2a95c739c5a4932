import type { ExchangeState } from '#contract/staff/exchanges.ts'
import type { BadgeTone } from '#web/kit/ui/badge.tsx'

export const stateTones: Record<ExchangeState, BadgeTone> = {
  queued: 'info',
  held: 'neutral',
  offered: 'info',
  pending: 'warning',
  purchased: 'accent',
  reviewed: 'accent',
  returned: 'warning',
  verified: 'success',
  lapsed: 'danger',
  cancelled: 'neutral',
}

/** 'member_suspended' → 'Member suspended'. */
export function sentenceOf(code: string): string {
  const words = code.replaceAll(/[_-]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

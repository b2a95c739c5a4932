import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import type { PaymentsMode } from '#contract/membership.ts'

/** Whether membership can be bought in this club: texts say only what holds here. */
export const PaymentsContext = createContext<PaymentsMode>('closed')

type OnlyWhereProps = { 'data-payments'?: 'open' | 'closed'; children?: ReactNode }

/** A part of a text that holds only where membership can be bought, or only where it can't. */
export function OnlyWhere({ 'data-payments': where, children }: OnlyWhereProps) {
  const isClosed = useContext(PaymentsContext) === 'closed'
  return where === undefined || (where === 'closed') === isClosed ? children : null
}

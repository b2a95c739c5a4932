// Failures of the API on demand, so that tests can see what the club does about them.
export type FaultOrder = {
  /** How many requests fail. */
  next: number
  /** A status to answer with, no answer at all, or a connection that breaks. */
  how: number | 'hang' | 'break'
  /** Whether the request is carried out first, so that only its answer is lost. */
  carriedOut: boolean
  /** Only requests whose path begins so, such as `/v1/refunds`. */
  path: string
  /** Only requests of this method. */
  method: string | null
}

export type Faults = {
  order(order: FaultOrder): void
  recover(): void
  /** The order that this request falls under, which is thereby used up once. */
  take(method: string, path: string): FaultOrder | undefined
}

export function openFaults(): Faults {
  let orders: FaultOrder[] = []
  return {
    order: (order) => void orders.push({ ...order }),
    recover: () => void (orders = []),
    take(method, path) {
      const order = orders.find(
        (each) => path.startsWith(each.path) && (each.method === null || each.method === method),
      )
      if (!order) return undefined
      order.next -= 1
      if (order.next <= 0) orders = orders.filter((each) => each !== order)
      return order
    },
  }
}

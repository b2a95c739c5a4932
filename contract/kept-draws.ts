/** What a browser keeps of its own request: it got the commitment before it sent the nonce. */
export type KeptDraw = {
  ticket: string
  commitment: string
  nonce: string
  day: string
  dayHash: string
  /** The round of the beacon that counts; null where the club uses none. Older entries do not have it. */
  round?: number | null
}

/** Under which name a browser keeps its draws: pairs of a request’s id and the draw. */
export const keptDrawsKey = 'draws'

/** Reads what a browser kept. Whatever it did not write counts as nothing. */
export function readKeptDraws(text: string | null): (readonly [string, KeptDraw])[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    // Only this product writes under the name; its shape is the one above.
    return Array.isArray(read) ? (read as (readonly [string, KeptDraw])[]) : []
  } catch {
    return []
  }
}

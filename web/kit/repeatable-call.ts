import { useRef } from 'react'

type Send<Result> = (context: { idempotencyKey: string }) => Promise<Result>

/**
 * Sends a call so that a repetition after a lost answer has no second effect: the same content keeps its
 * idempotency key until it was answered. Other content is another call.
 */
export function useRepeatableCall() {
  const attempt = useRef({ content: '', key: '' })
  return async function send<Result>(content: object, call: Send<Result>): Promise<Result> {
    const text = JSON.stringify(content)
    if (attempt.current.content !== text) attempt.current = { content: text, key: crypto.randomUUID() }
    const result = await call({ idempotencyKey: attempt.current.key })
    attempt.current = { content: '', key: '' }
    return result
  }
}

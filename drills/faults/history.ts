// What members asked for and what they were answered, kept by themselves. A call without a certain answer is
// sent again with its key until there is one, as a member's page does.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Member } from '../club.ts'
import type { Answer, Edge } from '../visitor.ts'

export type Kind =
  | 'request'
  | 'accept'
  | 'decline'
  | 'prove'
  | 'submit'
  | 'confirm'
  | 'pay'
  | 'cancel membership'

/** `subject` names what was to be done, in the words in which the rows name it. */
export type Entry = {
  kind: Kind
  memberId: string
  subject: string
  outcome: 'acknowledged' | 'refused' | 'unknown'
  /** How often it was sent. */
  sends: number
}

/** An answer, and when it came. */
type Met = Answer & { at: number; path: string }

export type History = ReturnType<typeof openHistory>

type Call = { method?: string; path: string; body?: object }
type Write = Call & { kind: Kind; subject: string | ((answer: Record<string, unknown>) => string) }

export function openHistory(edge: Edge) {
  const entries: Entry[] = []
  const met: Met[] = []
  let closing = false

  async function send(member: Pick<Member, 'headers'>, { method = 'POST', path, body }: Call, key?: string) {
    const headers = key ? { ...member.headers, 'idempotency-key': key } : member.headers
    const answer = await edge.ask(method, path, headers, body && JSON.stringify(body))
    met.push({ ...answer, at: performance.now(), path })
    return answer
  }

  return {
    entries,
    met,
    /** From now on a call without a certain answer stays without one. */
    close: () => void (closing = true),
    isClosed: () => closing,
    /** Sends it once. */
    send: (member: Pick<Member, 'headers'>, call: Call) => send(member, call),
    /** A read, or a write that may be lost. Undefined without a good answer. */
    async ask(member: Member, call: Call): Promise<unknown> {
      const { status, text } = await send(member, call)
      return status >= 200 && status < 300 ? JSON.parse(text) : undefined
    },
    /** A write. Returns its entry. */
    async write(member: Member, { kind, subject, ...call }: Write): Promise<Entry> {
      const entry: Entry = { kind, memberId: member.memberId, subject: '', outcome: 'unknown', sends: 0 }
      if (typeof subject === 'string') entry.subject = subject
      entries.push(entry)
      const key = randomUUID()
      for (;;) {
        entry.sends += 1
        const { status, retryAfter, text } = await send(member, call, key)
        // A limit counts the repetitions, too: it does not say that the first was refused.
        if (status >= 400 && status < 500 && !(status === 429 && entry.sends > 1)) {
          entry.outcome = 'refused'
          return entry
        }
        if (status >= 200 && status < 300) {
          // The contract defines the shape of this call's answer.
          const answer = JSON.parse(text) as Record<string, unknown>
          if (typeof subject !== 'string') entry.subject = subject(answer)
          entry.outcome = 'acknowledged'
          return entry
        }
        if (closing || status === 429) return entry
        await sleep(Math.min(1000, Number(retryAfter ?? 0.2) * 1000) * (0.5 + Math.random()))
      }
    },
  }
}

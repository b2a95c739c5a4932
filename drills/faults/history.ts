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
  | 'prove by picture'
  | 'submit'
  | 'confirm'
  | 'pay'
  | 'cancel membership'
  | 'mail'

/** `subject` names what was to be done, in the words in which the rows name it. */
export type Entry = {
  kind: Kind
  memberId: string
  subject: string
  outcome: 'acknowledged' | 'refused' | 'unknown'
  /** How often it was sent. */
  sends: number
  /** Of a picture that was sent along: which pixels it shows. */
  pixels?: string
}

/** An answer, and when it came. */
export type Met = Answer & { at: number; path: string }

export type History = ReturnType<typeof openHistory>

/** What a browser sends for a form with a file. */
export type Form = { contentType: string; bytes: Uint8Array }

type Call = { method?: string; path: string; body?: object; form?: Form }
type Write = Call & {
  kind: Kind
  subject: string | ((answer: Record<string, unknown>) => string)
  pixels?: string
}

/** Few uploads are allowed in an hour, so a page sends one again only when the answer says. */
const patienceMs = { usual: 1000, upload: 60_000 }

export function openHistory(edge: Edge) {
  const entries: Entry[] = []
  const met: Met[] = []
  let closing = false

  async function send(
    member: Pick<Member, 'headers'>,
    { method = 'POST', path, body, form }: Call,
    key?: string,
  ) {
    const headers = {
      ...member.headers,
      ...(key && { 'idempotency-key': key }),
      ...(form && { 'content-type': form.contentType }),
    }
    const answer = await edge.ask(method, path, headers, form?.bytes ?? (body && JSON.stringify(body)))
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
    async write(member: Member, { kind, subject, pixels, ...call }: Write): Promise<Entry> {
      const entry: Entry = { kind, memberId: member.memberId, subject: '', outcome: 'unknown', sends: 0 }
      if (pixels !== undefined) entry.pixels = pixels
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
        const most = call.form ? patienceMs.upload : patienceMs.usual
        await sleep(Math.min(most, Number(retryAfter ?? 0.2) * 1000) * (0.5 + Math.random()))
      }
    },
  }
}

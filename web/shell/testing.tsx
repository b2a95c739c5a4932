import { createMemoryHistory } from '@tanstack/react-router'
import { vi } from 'vitest'
import { render } from 'vitest-browser-react'
import type { Me } from '#contract/members.ts'
import '#web/kit/kit.css'
import { App, prepareApp } from '#web/app.tsx'
import { keepSessionHint } from '#web/members/session-hint.ts'

/*
 * Helpers for tests of whole screens: the app at an address, a signed-in member and a server with given
 * answers.
 */

/** Renders the app at an address, as a browser would open it. */
export async function open(address: string) {
  const app = await prepareApp(createMemoryHistory({ initialEntries: [address] }))
  await render(<App {...app} />)
  return app
}

/**
 * Answers every call, for example 'GET me', until the globals are unstubbed. Returns a `Response` unchanged
 * and anything else as JSON. A call that gets undefined is never answered.
 */
export function answerBy(answer: (call: string, request: Request) => unknown): void {
  keepSessionHint()
  vi.stubGlobal('EventSource', SilentSource)
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const request = new Request(input instanceof Request ? input : new URL(input, location.origin), init)
    const call = `${request.method} ${new URL(request.url).pathname.replace('/api/', '')}`
    const answered = await answer(call, request)
    if (answered === undefined) return new Promise(() => undefined)
    return answered instanceof Response ? answered : Response.json(answered)
  })
}

/** The answer of an action without a result. */
export const done = { ok: true }

/** A refusal in the server's format. */
export function refusal(code: string, status: number, message: string, data?: object): Response {
  return Response.json({ defined: true, code, status, message, data }, { status })
}

export const signedOut = () => refusal('UNAUTHORIZED', 401, 'Please sign in to continue.')

export const ada: Me = {
  id: '0192f0c0-0000-7000-8000-000000000001',
  email: 'ada@mail.example',
  emailVerified: true,
  emailBounced: false,
  suspension: null,
  username: 'ada',
  displayName: '',
  fullName: null,
  avatar: null,
  locale: 'en-US',
  timeZone: null,
  twoFactor: false,
  role: 'user',
  createdAt: '2026-11-01T09:00:00Z',
  membership: {
    status: 'active',
    state: 'active',
    source: 'demo',
    paused: false,
    pausedUntil: null,
    currentPeriodEnd: null,
    graceUntil: null,
    endsAt: null,
  },
  unread: 0,
  demo: false,
  payments: 'closed',
  serverTime: '2026-11-21T09:00:00Z',
}

/** A live stream without events. */
export class SilentSource extends EventTarget {
  onopen = null
  onmessage = null
  onerror: (() => void) | null = null
  close() {}
}

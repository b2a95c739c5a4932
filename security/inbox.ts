// A mail server that keeps what it is given.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

type Letter = { to: string[]; subject: string; text: string; html: string }

export type Inbox = {
  port: number
  letters: Letter[]
  /** The letters to one address, once there are this many. */
  to(address: string, count?: number): Promise<Letter[]>
  /** The secret of the newest link to an address that was not handed out before. */
  secretTo(address: string): Promise<string>
  close(): Promise<void>
}

export async function openInbox(tls: { key: string; cert: string }): Promise<Inbox> {
  const letters: Letter[] = []
  const used = new Set<string>()
  async function keep(to: string[], bytes: Buffer) {
    const { subject = '', text = '', html = '' } = await PostalMime.parse(bytes)
    letters.push({ to, subject, text, html })
  }
  const server = new SMTPServer({
    authOptional: true,
    key: tls.key,
    cert: tls.cert,
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        void keep(to, Buffer.concat(parts))
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const inbox: Inbox = {
    // A server on a TCP port answers with an address, never with a path.
    port: (server.server.address() as AddressInfo).port,
    letters,
    async to(address, count = 1) {
      const found = () => letters.filter(({ to }) => to.includes(address))
      await until(() => found().length >= count, `${count} letters to ${address}`)
      return found()
    },
    async secretTo(address) {
      const fresh = () =>
        letters
          .filter(({ to }) => to.includes(address))
          .map(({ text }) => /#token=([\w-]+)/.exec(text)?.[1])
          .findLast((secret) => secret !== undefined && !used.has(secret))
      await until(() => fresh() !== undefined, `a link to ${address}`)
      const secret = fresh() ?? ''
      used.add(secret)
      return secret
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return inbox
}

/** Waits for something that another process does. */
export async function until(holds: () => boolean | Promise<boolean>, what: string) {
  const end = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

// A mail server that stores its mails in a folder, and a reader of that folder, in this process or another.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

type Letter = { to: string[]; subject: string; text: string; html: string; messageId: string }

export type Inbox = {
  /** All mails so far, in order. */
  readonly letters: Letter[]
  /** The mails to one address, once there are this many. */
  to(address: string, count?: number): Promise<Letter[]>
  /** The secret of the newest link to an address that this reader has not returned before. */
  secretTo(address: string): Promise<string>
}

export async function openMailServer(
  folder: string,
  tls: { key: string; cert: string },
): Promise<{ port: number; close(): Promise<void> }> {
  await mkdir(folder, { recursive: true })
  let count = 0
  async function keep(to: string[], bytes: Buffer, done: () => void) {
    count += 1
    const name = String(count).padStart(6, '0')
    const { subject = '', text = '', html = '', messageId = '' } = await PostalMime.parse(bytes)
    // Renaming makes the complete file appear at once.
    await writeFile(join(folder, `.${name}`), JSON.stringify({ to, subject, text, html, messageId }))
    await rename(join(folder, `.${name}`), join(folder, `${name}.json`))
    done()
  }
  const server = new SMTPServer({
    authOptional: true,
    key: tls.key,
    cert: tls.cert,
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => void keep(to, Buffer.concat(parts), done))
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    // The address of a server on a TCP port is never a path.
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

export function readInbox(folder: string): Inbox {
  const read = new Map<string, Letter>()
  const used = new Set<string>()
  function letters() {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    for (const name of names.toSorted()) {
      if (!read.has(name)) read.set(name, JSON.parse(readFileSync(join(folder, name), 'utf8')))
    }
    return [...read].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, letter]) => letter)
  }
  const lettersTo = (address: string) => letters().filter(({ to }) => to.includes(address))
  return {
    get letters() {
      return letters()
    },
    async to(address, count = 1) {
      await until(() => lettersTo(address).length >= count, `${count} letters to ${address}`)
      return lettersTo(address)
    },
    async secretTo(address) {
      const fresh = () =>
        lettersTo(address)
          .map(({ text }) => /#token=([\w-]+)/.exec(text)?.[1])
          .findLast((secret) => secret !== undefined && !used.has(secret))
      await until(() => fresh() !== undefined, `a link to ${address}`)
      const secret = fresh() ?? ''
      used.add(secret)
      return secret
    },
  }
}

/** Waits up to a minute for something that another process does. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited a minute for ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

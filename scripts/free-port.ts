import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A port of 127.0.0.1 that nobody listened on a moment ago. Nothing keeps it: whoever asked should open it at once. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server on a TCP port answers with an address, never with a path.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

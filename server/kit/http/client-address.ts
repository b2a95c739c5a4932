import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'

/**
 * The client's address as limits count it: from the one header our proxy sets (its right-most entry), else
 * from the socket. Every other address header is ignored. IPv4-mapped IPv6 equals IPv4; IPv6 counts per /64.
 */
export function clientAddress(request: IncomingMessage, trustedHeader: string | undefined): string {
  const socket = request.socket.remoteAddress ?? ''
  if (!trustedHeader) return countedAs(socket)
  const header = request.headers[trustedHeader]
  const text = (Array.isArray(header) ? header.at(-1) : header)?.split(',').at(-1)?.trim() ?? ''
  return countedAs(isIPv4(text) || isIPv6(text) ? text : socket)
}

function countedAs(address: string) {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address || 'unknown'
  return `${expand(address).slice(0, 4).join(':')}::/64`
}

function expand(address: string) {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<string>(gap).fill('0'), ...right].map((part) =>
    Number.parseInt(part, 16).toString(16),
  )
}

/** An address fit for records: the last part hidden. */
export function truncatedAddress(address: string) {
  return isIPv4(address) ? address.replace(/\.\d+$/, '.0') : address
}

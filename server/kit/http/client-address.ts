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

function countedAs(address: string): string {
  if (!isIPv6(address)) return address || 'unknown'
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return bytesOf(groups.slice(6)).join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight groups of an IPv6 address, whichever way it is written. */
function groupsOf(address: string): number[] {
  const [plain = ''] = address.split('%')
  const [head = '', tail] = plain.replace(/\d+\.\d+\.\d+\.\d+$/, inHex).split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const gap = Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<string>(gap).fill('0'), ...right].map((part) => Number.parseInt(part, 16))
}

/** The last 32 bits may be written as an IPv4 address. */
function inHex(ipv4: string) {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

function bytesOf(groups: number[]) {
  return groups.flatMap((group) => [group >> 8, group & 255])
}

/** An address fit for records: the last part hidden. */
export function truncatedAddress(address: string) {
  return isIPv4(address) ? address.replace(/\.\d+$/, '.0') : address
}

import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

function countedAs(address: string) {
  const request = new IncomingMessage(new Socket())
  request.headers['x-real-ip'] = address
  return clientAddress(request, 'x-real-ip')
}

describe('the address that limits count', () => {
  test.each([
    '1.2.3.4',
    '::ffff:1.2.3.4',
    '::FFFF:1.2.3.4',
    '::ffff:102:304',
    '::ffff:0102:0304',
    '0:0:0:0:0:ffff:1.2.3.4',
    '0000:0000:0000:0000:0000:ffff:0102:0304',
    '0::ffff:1.2.3.4',
  ])('%s is 1.2.3.4', (address) => {
    expect(countedAs(address)).toBe('1.2.3.4')
  })

  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::1.2.3.4', '64:ff9b:0:0::/64'],
  ])('%s counts as its network %s', (address, network) => {
    expect(countedAs(address)).toBe(network)
  })
})

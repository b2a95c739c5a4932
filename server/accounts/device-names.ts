import Bowser from 'bowser'
import type { Device } from '#contract/accounts.ts'

// What a browser is not known for it may have made up, and the name of a device stands in mails that its owner trusts.
const known = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.values(Bowser.OS_MAP)])

/** What people call a device, from what its browser says of itself, which is a hint and no more. */
export function describeDevice(userAgent: string): Pick<Device, 'label' | 'kind'> {
  if (!userAgent) return { label: 'Unknown device', kind: 'desktop' }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const label = [browser.name, os.name].filter((name) => name && known.has(name)).join(' on ')
  const kind = platform.type === 'mobile' || platform.type === 'tablet' ? platform.type : 'desktop'
  return { label: (label || 'Unknown device').slice(0, 60), kind }
}

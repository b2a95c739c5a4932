import Bowser from 'bowser'
import type { Device } from '#contract/accounts.ts'

// Device names appear in mails that members trust, so only known names of browsers and systems are allowed.
const known = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.values(Bowser.OS_MAP)])

/** A readable name for a device, from its user agent, which can be wrong or forged. */
export function describeDevice(userAgent: string): Pick<Device, 'label' | 'kind'> {
  if (!userAgent) return { label: 'Unknown device', kind: 'desktop' }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const label = [browser.name, os.name].filter((name) => name && known.has(name)).join(' on ')
  const kind = platform.type === 'mobile' || platform.type === 'tablet' ? platform.type : 'desktop'
  return { label: (label || 'Unknown device').slice(0, 60), kind }
}

import Bowser from 'bowser'
import type { Device } from '#contract/settings.ts'

/** What people call a device, from what its browser says of itself, which is a hint and no more. */
export function describeDevice(userAgent: string): Pick<Device, 'label' | 'kind'> {
  if (!userAgent) return { label: 'Unknown device', kind: 'desktop' }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const label = [browser.name, os.name].filter(Boolean).join(' on ')
  const kind = platform.type === 'mobile' || platform.type === 'tablet' ? platform.type : 'desktop'
  return { label: (label || 'Unknown device').slice(0, 60), kind }
}

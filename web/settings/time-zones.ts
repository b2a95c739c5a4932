import { deviceTimeZone, serverNow, zoneName } from '#web/kit/time.ts'
import type { ComboboxOption } from '#web/kit/ui/combobox.tsx'

/** The value of the option to use the device's own time zone. */
export const followDevice = 'device'

/** All time zones known to this device, by name, with their current offset from UTC. */
export function timeZoneOptions(chosen: string | null): ComboboxOption[] {
  zones ??= Intl.supportedValuesOf('timeZone').map(zoneOption)
  const isListed = chosen === null || zones.some(({ value }) => value === chosen)
  return [
    { value: followDevice, label: 'Follow this device', hint: zoneName(deviceTimeZone()) },
    // A zone chosen on another device may have another name here.
    ...(isListed ? [] : [{ value: chosen, label: zoneName(chosen) }]),
    ...zones,
  ]
}

let zones: ComboboxOption[] | undefined

function zoneOption(name: string): ComboboxOption {
  return { value: name, label: zoneName(name).replaceAll('/', ' / '), hint: offsetOf(name) }
}

/** For example 'GMT+5:30', as of now. */
function offsetOf(timeZone: string): string | undefined {
  return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(serverNow())
    .find(({ type }) => type === 'timeZoneName')?.value
}

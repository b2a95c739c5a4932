import { deviceTimeZone, serverNow } from '#web/kit/time.ts'
import type { ComboboxOption } from '#web/kit/ui/combobox.tsx'

/** The choice of no time zone in particular: the device's own, whichever that is. */
export const followDevice = 'device'

/** Every time zone that this device knows, by the name of its city, with what it is ahead of UTC now. */
export function timeZoneOptions(chosen: string | null): ComboboxOption[] {
  zones ??= Intl.supportedValuesOf('timeZone').map(zoneOption)
  const isListed = chosen === null || zones.some(({ value }) => value === chosen)
  return [
    { value: followDevice, label: 'Follow this device', hint: deviceTimeZone().replaceAll('_', ' ') },
    // A zone chosen elsewhere may go by another name here.
    ...(isListed ? [] : [{ value: chosen, label: chosen.replaceAll('_', ' ') }]),
    ...zones,
  ]
}

let zones: ComboboxOption[] | undefined

function zoneOption(name: string): ComboboxOption {
  return { value: name, label: name.replaceAll('_', ' ').replaceAll('/', ' / '), hint: offsetOf(name) }
}

/** Such as 'GMT+5:30', as it is today. */
function offsetOf(timeZone: string): string | undefined {
  return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(serverNow())
    .find(({ type }) => type === 'timeZoneName')?.value
}

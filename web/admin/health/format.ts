import { formatNumber } from '#web/kit/time.ts'

const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** '1.4 GB'; in steps of 1,000. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${formatNumber(Number(value.toFixed(value < 10 && power > 0 ? 1 : 0)))} ${units[power]}`
}

/** '5 s', '12 min' or '3 h'; a dash for nothing. */
export function formatWait(seconds: number): string {
  if (seconds <= 0) return '–'
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

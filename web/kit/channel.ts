/**
 * Opens a channel to this browser's other windows. Null when the browser has none or blocks it with site
 * storage.
 */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null
  }
}

/** To the other windows of this browser. Null where it has no channels, or refuses one because it may keep nothing of this site. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null
  }
}

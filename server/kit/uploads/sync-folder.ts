import { open } from 'node:fs/promises'

/**
 * Brings a folder's own entries to the disk: a rename is only kept over a power cut once they are there.
 * Windows has no such call.
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

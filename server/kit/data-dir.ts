import { chmod, mkdir, realpath } from 'node:fs/promises'

/**
 * The real path of DATA_DIR, made when absent. Root's lets others pass through but not look, because the database server in it
 * runs as another user; what is secret in it closes itself.
 */
export async function openDataDir(dataDir: string): Promise<string> {
  const isNew = (await mkdir(dataDir, { recursive: true })) !== undefined
  if (isNew) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
  return realpath(dataDir)
}

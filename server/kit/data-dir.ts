import { constants } from 'node:fs'
import { access, chmod, mkdir, realpath } from 'node:fs/promises'
import { StartError } from './start-error.ts'

/**
 * The real path of DATA_DIR, created if absent. As root it is searchable but not readable for others, because
 * the database server inside runs as another user; secret files have modes of their own. Throws StartError if
 * it is not a writable folder.
 */
export async function openDataDir(dataDir: string): Promise<string> {
  try {
    const isNew = (await mkdir(dataDir, { recursive: true })) !== undefined
    if (isNew) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(dataDir)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new StartError(`DATA_DIR cannot be used${code}: choose a folder in which files may be written.`)
  }
}

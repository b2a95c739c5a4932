import { constants } from 'node:fs'
import { access, chmod, mkdir, realpath } from 'node:fs/promises'
import { StartError } from './start-error.ts'

/**
 * The real path of DATA_DIR, made when absent. Root's lets others pass through but not look, because the database server in it
 * runs as another user; what is secret in it closes itself. A StartError when it is no folder that may be written to.
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

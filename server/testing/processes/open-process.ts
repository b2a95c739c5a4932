// What the processes share that a test kills: the product's parts on the database of their environment.
import { reactions } from '#server/reactions.ts'
import { readConfig } from '#server/kit/config.ts'
import { systemCtx } from '#server/kit/ctx.ts'
import type { Kit } from '#server/kit/ctx.ts'
import { connectionFromEnv } from '#server/kit/db/connection.ts'
import { openDatabase } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'

/** With so many connections at most. */
export function openProcess(max: number) {
  const log = openLog('test', 'silent')
  const database = openDatabase(connectionFromEnv(process.env), { name: 'payer', log, max })
  const kit: Kit = {
    db: database.db,
    files: openFiles({ dataDir: process.env['DATA_DIR'] ?? '' }),
    reactions,
    // Jobs are sent with the transaction; these processes do their work themselves.
    jobs: { send: async () => {}, stop: async () => {} },
  }
  return { database, system: systemCtx(kit, readConfig(process.env), log) }
}

// One machine: npm start brings its own PostgreSQL.
import { join } from 'node:path'
import { freePort } from '#scripts/free-port.ts'
import { startAll } from './npm-start.ts'
import { readVersion } from './cluster.ts'
import { populate, settingsOf } from './club.ts'
import { smoke } from './smoke.ts'
import type { Stage } from './stage.ts'
import { plainEdge } from './visitor.ts'

export async function runOne(stage: Stage): Promise<boolean> {
  const port = await freePort()
  const settings = await settingsOf(stage, { PORT: String(port) })
  const { seconds } = await startAll(stage, settings, port)
  const sock = join(settings.DATA_DIR ?? '', 'postgres', 'sock')
  const admin = { host: sock, port: 5432, user: 'postgres', database: 'evenhand' }
  console.log(`  PostgreSQL ${await readVersion(admin)}, embedded; ready after ${seconds} s`)
  const members = await populate(admin, settings, 200)
  return smoke(plainEdge(port), members, admin)
}

// One machine with a PostgreSQL of its own.
import { freePort } from '#scripts/free-port.ts'
import { startCluster } from './cluster.ts'
import { populate, settingsOf } from './club.ts'
import { startAll } from './npm-start.ts'
import { smoke } from './smoke.ts'
import type { Stage } from './stage.ts'
import { plainEdge } from './visitor.ts'

export async function runOwn(stage: Stage): Promise<boolean> {
  const cluster = await startCluster(stage, 'postgres')
  const port = await freePort()
  const settings = await settingsOf(stage, { PORT: String(port), DATABASE_URL: cluster.url })
  const { seconds } = await startAll(stage, settings, port)
  console.log(`  PostgreSQL ${cluster.version} of the system; ready after ${seconds} s`)
  const members = await populate(cluster.admin, settings, 200)
  return smoke(plainEdge(port), members, cluster.admin)
}

// pgbouncer in transaction mode between the processes and PostgreSQL.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '#scripts/free-port.ts'
import { ask, password, startCluster } from './cluster.ts'
import { populate, prepare, refusalOf, settingsOf, startWeb, startWorker } from './club.ts'
import { fillSample } from './sample.ts'
import { smoke } from './smoke.ts'
import { findProgram, postgresUser, until } from './stage.ts'
import type { Stage } from './stage.ts'
import { plainEdge } from './visitor.ts'

export async function runPgbouncer(stage: Stage): Promise<boolean> {
  const program = findProgram('pgbouncer')
  const cluster = await startCluster(stage, 'postgres')
  const port = await freePort()
  const users = join(stage.folder, 'userlist.txt')
  await writeFile(users, `"club" "${password}"\n`)
  const file = await fillSample(stage, 'pgbouncer.ini', [
    ['host=127.0.0.1 port=5432', `host=127.0.0.1 port=${cluster.port}`],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['/etc/pgbouncer/userlist.txt', users],
  ])
  const pooler = stage.start('pgbouncer', program, [file], { ...postgresUser(), last: 'SIGQUIT' })
  const pooled = `postgres://club:${password}@127.0.0.1:${port}/club`
  const direct = await settingsOf(stage, { DATABASE_URL: cluster.url })
  await prepare(stage, direct)
  const reached = { host: '127.0.0.1', port, user: 'club', password, database: 'club' }
  const answers = () =>
    ask(reached, ['select 1']).then(
      () => true,
      () => false,
    )
  await until('pgbouncer answers', answers, { seconds: 20, needed: [pooler] }).catch((error: Error) => {
    throw new Error(`${error.message} ${stage.logOf('pgbouncer')}`)
  })

  const refused = await refusals(stage, { ...direct, DATABASE_URL: pooled, PORT: '0' })
  const settings = { ...direct, DATABASE_URL: pooled, DATABASE_DIRECT_URL: cluster.url }
  await prepare(stage, settings)
  const members = await populate(cluster.admin, settings, 200)
  startWorker(stage, 'worker', settings)
  const web = await startWeb(stage, 'web', settings)
  const fine = await smoke(plainEdge(web.port), members, cluster.admin)
  const [row] = await ask(cluster.admin, [
    `select count(*) filter (where client_port in (select client_port from pg_stat_activity
        where application_name in ('evenhand-live', 'evenhand-relay', 'evenhand-jobs')))::int as direct,
      count(*)::int as all from pg_stat_activity where usename = 'club'`,
  ])
  console.log(`  PostgreSQL had ${row?.all} connections, ${row?.direct} of them past pgbouncer`)
  return fine && refused
}

/** Without DATABASE_DIRECT_URL each process says the same sentence and ends. */
async function refusals(stage: Stage, settings: Record<string, string>): Promise<boolean> {
  const said = [
    await refusalOf(stage, 'refused-web', ['scripts/process.mjs', 'web'], settings),
    await refusalOf(stage, 'refused-worker', ['scripts/process.mjs', 'worker'], settings),
    await refusalOf(stage, 'refused-migrate', ['scripts/start.mjs', 'migrate'], settings),
  ]
  const same = new Set(said).size === 1 && said[0]?.includes('DATABASE_DIRECT_URL') === true
  console.log(`  without DATABASE_DIRECT_URL web, worker and migrate ${same ? 'say' : 'DO NOT ALL say'}`)
  for (const sentence of new Set(said)) console.log(`    ${sentence}`)
  return same
}

// npm run migrate: applies new migrations and nothing else, for deployments that do so before they start.
// npm run migrate -- --plan says what it would do, and changes nothing.
import { migrate } from '#db/migrate.ts'
import { planMigrations } from '#db/migration-plan.ts'
import type { Planned } from '#db/migration-plan.ts'
import { count } from '#contract/format.ts'
import { StartError } from '#server/kit/start-error.ts'
import { openDatabase } from './database.ts'
import { runScript } from './run.ts'
import { readSettings } from './settings.ts'

await runScript(async () => {
  const [option, ...more] = process.argv.slice(2)
  if (more.length > 0 || (option !== undefined && option !== '--plan'))
    throw new StartError('Usage: npm run migrate, or npm run migrate -- --plan')
  const { config, env } = await readSettings()
  const database = await openDatabase(env, config.dataDir, console.log)
  try {
    const connection = database.connectionFor('evenhand_migrate')
    if (option === '--plan') printPlan(await planMigrations(connection))
    else {
      const ran = await migrate(connection)
      for (const name of ran) console.log(name)
      const done = ran.length > 0 ? `${count(ran.length, 'migration')} ran` : 'there was nothing to do'
      console.log(`The database is up to date: ${done}.`)
    }
    return 0
  } finally {
    await database.stop()
  }
})

function printPlan(planned: Planned[]) {
  if (planned.length === 0) return console.log('The database is up to date: there is nothing to do.')
  for (const { name, inSteps, statements, steps } of planned) {
    console.log(`${name}: ${statements} statements, ${inSteps ? 'one by one' : 'in one transaction'}`)
    for (const { statement, table, rows, seconds, trouble } of steps) {
      const time = seconds < 0.1 ? 'at once' : `about ${seconds.toFixed(1)} s`
      console.log(`  ${table}, about ${Math.round(rows)} rows, ${time}: ${shortOf(statement)}`)
      if (trouble && seconds >= 0.1) console.log(`    meanwhile ${trouble}`)
    }
  }
  const seconds = planned.flatMap(({ steps }) => steps).reduce((sum, step) => sum + step.seconds, 0)
  const all = count(planned.length, 'migration')
  console.log(`${all}, about ${Math.ceil(seconds)} s by the row counts. Nothing was changed.`)
}

function shortOf(statement: string) {
  const line = statement.replace(/^-- [^\n]*\n/, '')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

// npm run make-admin -- anna@club.example: gives a member the role of an admin. It is how the first admin is
// made; admins give the other roles in the staff area.
import { migrate } from '#db/migrate.ts'
import { systemCtx } from '#server/kit/ctx.ts'
import type { Kit } from '#server/kit/ctx.ts'
import { inTransaction, openDatabase as openPool } from '#server/kit/db/db.ts'
import { watchStandbyWaits } from '#server/kit/db/standby-waits.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { openLog } from '#server/kit/log.ts'
import { makeAdmin } from '#server/members/roles.ts'
import { reactions } from '#server/reactions.ts'
import { openDatabase } from './database.ts'
import { runScript } from './run.ts'
import { readSettings } from './settings.ts'

const why = {
  missing: 'No member has this address. They sign up first, then run this again.',
  unconfirmed: 'This address is not confirmed yet. Open the link in the mail first, then run this again.',
  already: 'This member is an admin already.',
}

await runScript(async () => {
  const email = process.argv[2]
  if (!email?.includes('@')) {
    console.error('Give the address of the member: npm run make-admin -- anna@club.example')
    return 1
  }
  const { config, env } = await readSettings()
  const server = await openDatabase(env, config.dataDir, console.log)
  try {
    await migrate(server.connectionFor('evenhand_migrate'))
    const log = openLog('make-admin', config.logLevel)
    const connection = server.connectionFor('evenhand_worker')
    const standbyWaits = watchStandbyWaits(connection, log)
    const { db, close } = openPool(connection, {
      name: 'evenhand-make-admin',
      log,
      max: 1,
    })
    try {
      // A change of role sends no job.
      const jobs: Kit['jobs'] = { send: () => Promise.resolve(), stop: () => Promise.resolve() }
      const kit = { db, jobs, files: openFiles(config), reactions }
      const refused = await inTransaction(systemCtx(kit, config, log), (ctx) => makeAdmin(ctx, email))
      console.log(
        refused ? why[refused] : `${email} is an admin. They set up two-factor when they open /admin.`,
      )
      return refused === null || refused === 'already' ? 0 : 1
    } finally {
      await close()
      await standbyWaits.stop()
    }
  } finally {
    await server.stop()
  }
})

// When the jobs of schedules are filed and done, as one sees it who looks at the rows all the time, by a
// clock that no step moves.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { ask } from '../cluster.ts'

/** A run of a schedule, under its minute of the database's clock as it was after so many steps. */
type Run = { name: string; minute: string; steps: number }

export type Schedules = ReturnType<typeof watchSchedules>

export function watchSchedules(admin: PgConnection, goesOn: () => boolean) {
  const crons = new Map<string, string>()
  const runs = new Map<string, Run>()
  const filedAt = new Map<string, number>()
  /** Of each schedule, when the latest job was filed that is done. */
  const done = new Map<string, number>()
  let steps = 0

  async function look() {
    for (const row of await ask(admin, ['select name, cron from pgboss.schedule']))
      crons.set(String(row['name']), String(row['cron']))
    const rows = await ask(admin, [
      `select id, name, data ->> 'name' as schedule, to_char(singleton_on, 'HH24:MI') as minute,
          state = 'completed' as done
        from pgboss.job where name = '__pgboss__send-it' or name in (select name from pgboss.schedule)`,
    ])
    for (const row of rows) {
      const [id, name] = [String(row['id']), String(row['name'])]
      if (name === '__pgboss__send-it') {
        if (!runs.has(id))
          runs.set(id, { name: String(row['schedule']), minute: String(row['minute']), steps })
        continue
      }
      const at = filedAt.get(id) ?? performance.now()
      filedAt.set(id, at)
      if (row['done']) done.set(name, Math.max(at, done.get(name) ?? 0))
    }
  }

  const watching = (async () => {
    while (goesOn()) {
      // What is not seen now is seen at the next look.
      await look().catch(() => {})
      await sleep(250)
    }
  })()
  const daily = () => [...runs.values()].filter(({ name }) => /^\d+ \d+ /.test(crons.get(name) ?? ''))

  return {
    watching,
    /** From now on the database's clock is another one. */
    stepped: () => void (steps += 1),
    /** Whether each schedule of every minute was filed and done since then. */
    haveRun(since: number): boolean {
      const often = [...crons].filter(([, cron]) => cron === '* * * * *')
      return often.length > 0 && often.every(([name]) => (done.get(name) ?? 0) > since)
    },
    /** The minute in which a job of once a day was filed last. */
    lastDaily: () => daily().at(-1)?.minute,
    /** What ran twice: of once a day at all, and the others under one minute of one clock. */
    figures: () => ({
      runs: runs.size,
      daily: daily().length,
      twice: [
        ...repeated(daily().map(({ name }) => name)),
        ...repeated([...runs.values()].map(({ name, minute, steps }) => `${name} at ${minute} (${steps})`)),
      ],
    }),
  }
}

const repeated = (all: string[]) => all.filter((one, at) => all.indexOf(one) !== at)

import { readFile } from 'node:fs/promises'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { onDatabase } from '../server.ts'

/**
 * Megabytes that the processes of a PostgreSQL on this machine hold, where what they share counts once;
 * null where the system does not say (it is asked as Linux is).
 */
export async function postgresMegabytes(connection: PgConnection): Promise<number | null> {
  return onDatabase(connection, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
    const sizes = await Promise.all(rows.map(({ pid }) => kilobytesOf(pid)))
    const known = sizes.filter((size) => size !== null)
    return known.length === 0 ? null : known.reduce((sum, size) => sum + size, 0) / 1024
  })
}

async function kilobytesOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const size = /^Pss: +(\d+) kB$/m.exec(text)?.[1]
  return size === undefined ? null : Number(size)
}

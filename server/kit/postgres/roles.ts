import type { ClientBase } from 'pg'

/**
 * Migrations own the database; the web server, the worker and the read-only checks get only what is granted
 * to them.
 */
export const roles = ['evenhand_migrate', 'evenhand_web', 'evenhand_worker', 'evenhand_checks'] as const
export type Role = (typeof roles)[number]

/**
 * Creates the missing roles, as often and from as many places at once as wanted. Roles belong to the whole
 * server and get no password: over the embedded server's socket none is asked, elsewhere the operator sets
 * one. What each may do is granted after migrations.
 * @returns false, having done nothing, when this login may not create roles and some are missing
 */
export async function createRoles(client: ClientBase): Promise<boolean> {
  const known = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any($1)',
    [roles],
  )
  const missing = roles.filter((role) => !known.rows.some(({ rolname }) => rolname === role))
  if (missing.length === 0) return true
  const me = await client.query<{ able: boolean }>(
    'select rolsuper or rolcreaterole as able from pg_roles where rolname = current_user',
  )
  if (!me.rows[0]?.able) return false
  for (const role of missing) {
    // Another process may create it at this moment, which PostgreSQL reports in one of two ways.
    await client.query(`
      do $$ begin
        create role ${role} login;
        ${role === 'evenhand_checks' ? `alter role ${role} set default_transaction_read_only = on;` : ''}
      exception when duplicate_object or unique_violation then null;
      end $$`)
  }
  return true
}

import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { listUsers } from './users.ts'

export const userProcedures: Procedures<'users'> = {
  listUsers: api.users.listUsers.by((ctx, input) => listUsers(ctx, input)),
}

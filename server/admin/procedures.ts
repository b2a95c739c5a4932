import { changeRole } from '#server/accounts/role-change.ts'
import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { listLogActions, listLogs } from './logs.ts'
import { listUsers } from './users.ts'

export const userProcedures: Procedures<'users'> = {
  listUsers: api.users.listUsers.by((ctx, input) => listUsers(ctx, input)),
  changeRole: api.users.changeRole
    .after(limited('change-role', { hits: 20, seconds: hour }))
    .by((ctx, input) => changeRole(ctx, input)),
}

export const logProcedures: Procedures<'logs'> = {
  listLogs: api.logs.listLogs.by((ctx, input) => listLogs(ctx, input)),
  listLogActions: api.logs.listLogActions.by((ctx) => listLogActions(ctx)),
}

import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { addDeclaration, answerHousehold, keepDeclaration, removeDeclaration } from './declarations.ts'
import { getOrganization } from './reads.ts'
import { removeShop, saveShop } from './shops.ts'

const calls = api.organization
const changes = limited('organization', { hits: 60, seconds: hour })

export const organizationProcedures: Procedures<'organization'> = {
  getOrganization: calls.getOrganization.by((ctx) => getOrganization(ctx)),
  saveShop: calls.saveShop.after(changes).by((ctx, shop) => saveShop(ctx, shop)),
  removeShop: calls.removeShop.after(changes).by((ctx, { id }) => removeShop(ctx, id)),
  addDeclaration: calls.addDeclaration.after(changes).by((ctx, input) => addDeclaration(ctx, input)),
  removeDeclaration: calls.removeDeclaration.after(changes).by((ctx, { id }) => removeDeclaration(ctx, id)),
  keepDeclaration: calls.keepDeclaration.after(changes).by((ctx, { id }) => keepDeclaration(ctx, id)),
  answerHousehold: calls.answerHousehold.after(changes).by((ctx, input) => answerHousehold(ctx, input)),
}

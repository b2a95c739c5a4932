import { ORPCError } from '@orpc/server'
import { imageUpload } from '#contract/products.ts'
import { api, limited, member } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { readPicture, setProductImage } from './images.ts'
import { consentToMarketplace, listMarketplaces } from './marketplaces.ts'
import { requireMyProduct } from './my-products.ts'
import { addProduct, archiveProduct, deleteProduct, editProduct, restoreProduct } from './products.ts'
import { getProduct, listProducts } from './reads.ts'
import type { WhyNotAsk } from './reads.ts'

const calls = api.products

/** The room's calls. `whyNotAsk` comes from the matching room, which lies above. */
export function productProcedures(whyNotAsk: WhyNotAsk) {
  return {
    listProducts: calls.listProducts
      .use(member)
      .handler(({ context: { ctx } }) => listProducts(ctx, whyNotAsk)),
    getProduct: calls.getProduct
      .use(member)
      .handler(({ context: { ctx }, input }) => getProduct(ctx, input.id, whyNotAsk)),
    addProduct: calls.addProduct
      .use(limited('add-product', { hits: 30, seconds: hour }))
      .use(member)
      .handler(async ({ context: { ctx }, input }) =>
        getProduct(ctx, await addProduct(ctx, input), whyNotAsk),
      ),
    editProduct: calls.editProduct
      .use(member)
      .handler(async ({ context: { ctx }, input }) =>
        getProduct(ctx, await editProduct(ctx, input), whyNotAsk),
      ),
    archiveProduct: calls.archiveProduct
      .use(member)
      .handler(async ({ context: { ctx }, input }) =>
        getProduct(ctx, await archiveProduct(ctx, input.id), whyNotAsk),
      ),
    restoreProduct: calls.restoreProduct
      .use(member)
      .handler(async ({ context: { ctx }, input }) =>
        getProduct(ctx, await restoreProduct(ctx, input.id), whyNotAsk),
      ),
    deleteProduct: calls.deleteProduct.use(member).handler(async ({ context: { ctx }, input }) => {
      await deleteProduct(ctx, input.id)
      return { ok: true as const }
    }),
    uploadProductImage: calls.uploadProductImage
      .use(limited('product-image', { hits: 30, seconds: hour }))
      // The picture is made before the gate opens its transaction: seconds of work must not hold a connection.
      .use(async ({ context: { ctx }, next }, input) => {
        if (ctx.who.id === null) throw refuse('UNAUTHORIZED')
        const upload = imageUpload.safeParse(input)
        if (!upload.success) throw new ORPCError('BAD_REQUEST', { message: 'Input validation failed' })
        await requireMyProduct(memberOf(ctx), upload.data.id)
        return next({ context: { pictures: await readPicture(await upload.data.file.bytes()) } })
      })
      .use(member)
      .handler(async ({ context: { ctx, pictures }, input }) =>
        getProduct(ctx, await setProductImage(ctx, { id: input.id, pictures }), whyNotAsk),
      ),
    listMarketplaces: calls.listMarketplaces
      .use(member)
      .handler(({ context: { ctx } }) => listMarketplaces(ctx)),
    consentToMarketplace: calls.consentToMarketplace
      .use(member)
      .handler(async ({ context: { ctx }, input }) => {
        await consentToMarketplace(ctx, input)
        return { ok: true as const }
      }),
  }
}

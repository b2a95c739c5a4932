import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour } from '#server/kit/http/rate-limit.ts'
import { discardFile } from '#server/kit/uploads/stored-file.ts'
import { getLiveProduct, listLiveProducts, listTrendingProducts } from './discover.ts'
import { listProductExchanges } from './exchanges.ts'
import { readPicture, setImageFocus, setProductImage, storePicture } from './images.ts'
import { closeMarketplace, reopenMarketplace } from './closures.ts'
import { consentToMarketplace, listMarketplaces } from './marketplaces.ts'
import { requireMyProduct } from './my-products.ts'
import { moveProduct } from './order.ts'
import {
  addProduct,
  archiveProduct,
  archiveProducts,
  deleteProduct,
  editProduct,
  restoreProduct,
  restoreProducts,
} from './products.ts'
import { getProduct, listArchivedProducts, listProducts } from './reads.ts'
import type { WhyNotAsk } from './reads.ts'
import { addMarketplace, checkMarketplace, editMarketplace } from './register.ts'
import { getRegisterEntry, listRegister, readTestLink } from './register-reads.ts'

const calls = api.products

/** The module's procedures. `whyNotAsk` comes from the matching module, which this module may not import. */
export function productProcedures(whyNotAsk: WhyNotAsk): Procedures<'products'> {
  return {
    listProducts: calls.listProducts.by((ctx) => listProducts(ctx, whyNotAsk)),
    listArchivedProducts: calls.listArchivedProducts.by((ctx, input) =>
      listArchivedProducts(ctx, input, whyNotAsk),
    ),
    getProduct: calls.getProduct.by((ctx, { id }) => getProduct(ctx, id, whyNotAsk)),
    addProduct: calls.addProduct
      .after(limited('add-product', { hits: 30, seconds: hour }))
      .by(async (ctx, input) => getProduct(ctx, await addProduct(ctx, input), whyNotAsk)),
    editProduct: calls.editProduct
      .after(limited('edit-product', { hits: 120, seconds: hour }))
      .by(async (ctx, input) => getProduct(ctx, await editProduct(ctx, input), whyNotAsk)),
    archiveProduct: calls.archiveProduct.by(async (ctx, { id }) =>
      getProduct(ctx, await archiveProduct(ctx, id), whyNotAsk),
    ),
    restoreProduct: calls.restoreProduct.by(async (ctx, { id }) =>
      getProduct(ctx, await restoreProduct(ctx, id), whyNotAsk),
    ),
    archiveProducts: calls.archiveProducts.by((ctx, { ids }) => archiveProducts(ctx, ids)),
    restoreProducts: calls.restoreProducts.by((ctx, { ids }) => restoreProducts(ctx, ids)),
    moveProduct: calls.moveProduct.by((ctx, input) => moveProduct(ctx, input)),
    listProductExchanges: calls.listProductExchanges.by((ctx, input) => listProductExchanges(ctx, input)),
    setImageFocus: calls.setImageFocus.by(async (ctx, input) =>
      getProduct(ctx, await setImageFocus(ctx, input), whyNotAsk),
    ),
    deleteProduct: calls.deleteProduct.by((ctx, { id }) => deleteProduct(ctx, id)),
    uploadProductImage: calls.uploadProductImage
      .after(limited('product-image', { hits: 30, seconds: hour }))
      .by({
        async prepare(ctx, { id, file }) {
          await requireMyProduct(ctx, id)
          return storePicture(ctx, await readPicture(await file.bytes()))
        },
        discard: (ctx, { fileKey }) => discardFile(ctx, fileKey),
        answer: async (ctx, { id }, { prepared: picture }) =>
          getProduct(ctx, await setProductImage(ctx, { id, picture }), whyNotAsk),
      }),

    listMarketplaces: calls.listMarketplaces.by((ctx) => listMarketplaces(ctx)),
    consentToMarketplace: calls.consentToMarketplace.by((ctx, input) => consentToMarketplace(ctx, input)),
  }
}

/** The procedures of what members see of each other's products. */
export const discoverProcedures: Procedures<'discover'> = {
  listLiveProducts: api.discover.listLiveProducts.by((ctx, input) => listLiveProducts(ctx, input)),
  listTrendingProducts: api.discover.listTrendingProducts.by((ctx, input) =>
    listTrendingProducts(ctx, input),
  ),
  getLiveProduct: api.discover.getLiveProduct.by((ctx, { id }) => getLiveProduct(ctx, id)),
}

const staffCalls = api.marketplaces

/** The staff's procedures of the register of marketplaces. */
export const marketplaceProcedures: Procedures<'marketplaces'> = {
  listRegister: staffCalls.listRegister.by((ctx) => listRegister(ctx)),
  getRegisterEntry: staffCalls.getRegisterEntry.by((ctx, { id }) => getRegisterEntry(ctx, id)),
  readTestLink: staffCalls.readTestLink.by((ctx, input) => readTestLink(ctx, input)),
  addMarketplace: staffCalls.addMarketplace.by((ctx, input) => addMarketplace(ctx, input)),
  editMarketplace: staffCalls.editMarketplace.by((ctx, input) => editMarketplace(ctx, input)),
  checkMarketplace: staffCalls.checkMarketplace.by((ctx, input) => checkMarketplace(ctx, input)),
  closeMarketplace: staffCalls.closeMarketplace.by((ctx, input) => closeMarketplace(ctx, input)),
  reopenMarketplace: staffCalls.reopenMarketplace.by((ctx, input) => reopenMarketplace(ctx, input)),
}

// The review cards of a product, for the seller's own site: one picture, and the page that it leads to. The
// picture needs no script and no cookie, and who loads it is not counted or written down.
import { cardsFormat } from '#contract/ledger.ts'
import { cardsKeptSeconds, cardsShown } from '#contract/receipts.ts'
import type { ReviewCards } from '#contract/receipts.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { notFound } from '#server/kit/http/http.ts'
import { compressed, sendFile } from '#server/kit/http/static.ts'
import type { SentFile } from '#server/kit/http/static.ts'
import { sharedAnswer } from '#server/kit/shared-answer.ts'
import { canonicalJson, signPayload } from '#server/kit/signatures.ts'
import { findCards } from '#server/reviews/receipts.ts'
import { drawCards } from './card-picture.ts'
import type { Pages } from './pages.ts'

const pictureForm = /^([\w-]{22})\.svg$/
const keyForm = /^[\w-]{22}$/
/** How many pictures a process keeps, and for how long. */
const kept = { pictures: 500, milliseconds: 60_000 }

/** `GET /cards/<key>` with `?page=`, and `/cards/<key>.svg`. Both are 404 while the cards are not shown. */
export function mountCards(app: HttpApp, pages: Pick<Pages, 'answer' | 'missing'>) {
  const pictures = new Map<string, () => Promise<SentFile | null>>()

  app.get('/cards/:file', async (c, next) => {
    const file = c.req.param('file')
    const [, pictureKey] = pictureForm.exec(file) ?? []
    if (pictureKey) {
      const picture = await readPicture(c.get('ctx'), pictureKey)
      return picture ? sendPicture(sendFile(c, picture, { caching })) : notFound(c)
    }
    if (!keyForm.test(file)) return next()
    const page = Math.min(Math.trunc(Number(c.req.query('page'))) || 1, 1_000_000)
    const cards = await findCards(c.get('ctx'), { key: file, page })
    return cards ? pages.answer(c, '/cards', { cards }, { status: 200, keep: true }) : pages.missing(c)
  })

  function readPicture({ kit, config, log, who }: Ctx, key: string) {
    const known = pictures.get(key)
    if (known) return known()
    const oldest = pictures.keys().next().value
    if (pictures.size >= kept.pictures && oldest !== undefined) pictures.delete(oldest)
    // Not the request's own context: the answer is shared by several requests.
    const ctx: Ctx = { db: kit.db, kit, config, log, who }
    const read = sharedAnswer(kept.milliseconds, () => makePicture(ctx, key))
    pictures.set(key, read)
    return read()
  }
}

const caching = `public, max-age=${cardsKeptSeconds}`

async function makePicture(ctx: Ctx, key: string): Promise<SentFile | null> {
  const cards = await findCards(ctx, { key, size: cardsShown.picture })
  if (!cards) return null
  const { origin } = ctx.config
  const signed = canonicalJson(await signCards(ctx, cards))
  return compressed(drawCards(cards, { origin, signed }), 'image/svg+xml; charset=utf-8', 5)
}

/** What the picture says, signed, so that a changed copy can be found out. */
async function signCards(ctx: Ctx, cards: ReviewCards) {
  const { origin } = ctx.config
  const { payload, signature } = await signPayload(ctx, {
    format: cardsFormat,
    club: origin,
    address: `${origin}/cards/${cards.key}`,
    product: cards.productTitle,
    marketplace: cards.marketplace,
    reviews: cards.reviews,
    cards: cards.cards.map(({ receipt, verifiedOn, disclosure, text, aiAssisted }) => ({
      receipt: `${origin}/receipts/${receipt}`,
      verifiedPurchase: cards.verifiedPurchaseWord,
      verifiedOn,
      disclosure,
      text,
      aiAssisted,
    })),
  })
  return { cards: payload, signature }
}

/** Other sites may show it. Opened by itself it runs and loads nothing. */
function sendPicture(answer: Response): Response {
  answer.headers.set('cross-origin-resource-policy', 'cross-origin')
  answer.headers.set(
    'content-security-policy',
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  )
  return answer
}

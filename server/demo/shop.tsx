// The demo's made-up marketplace: a listing, a checkout that charges nothing, and a receipt with an order
// number. It exists in demo mode only, runs no script, and says on every page that it is made up.
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Kysely } from 'kysely'
import type { DB } from '#db/types.ts'
import { demoCouponLink, demoShop } from '#contract/demo.ts'
import { dollars } from '#contract/format.ts'
import { notFound } from '#server/kit/http/http.ts'
import type { HttpApp, HttpContext } from '#server/kit/http/http.ts'
import { limitedPage } from '#server/kit/http/page-limit.ts'
import { readFormBody } from '#server/kit/http/request-body.ts'
import { findListing } from './shop-listings.ts'
import type { Listing } from './shop-listings.ts'
import { placeOrder, readOrder, sealOrder } from './shop-orders.ts'
import type { Order } from './shop-orders.ts'
import { shopSheet } from './shop-sheet.ts'

const listingPath = `${demoShop.path}/listing/:id`
/** The path that takes the checkout's form. */
export const checkoutPath = `${listingPath}/checkout`

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** `/demo-shop/listing/:id?coupon=`, its checkout, and the receipts. */
export function mountShop(app: HttpApp, db: Kysely<DB>) {
  const limited = limitedPage(db, 'demo-shop')
  app.use(`${demoShop.path}/*`, async (c, next) => {
    if (c.get('ctx').config.mode !== 'demo') return notFound(c)
    await limited(c, next)
    c.res.headers.set('x-robots-tag', 'noindex')
  })
  app.get(`${demoShop.path}/shop.css`, (c) =>
    c.body(shopSheet, 200, { 'content-type': 'text/css; charset=utf-8' }),
  )
  app.get(listingPath, async (c) => {
    const id = c.req.param('id') ?? ''
    const coupon = c.req.query('coupon') ?? null
    const listing = await findListing(c.get('ctx'), id, coupon)
    if (!listing) return page(c, <NothingSold id={id} />, 404)
    return page(c, <ListingPage listing={listing} tried={coupon} />)
  })
  app.post(checkoutPath, async (c) => {
    const coupon = (await readFormBody(c.req.raw)).get('coupon')
    const listing = await findListing(c.get('ctx'), c.req.param('id') ?? '', coupon)
    if (!listing) return notFound(c)
    const paidCents = listing.couponCents ?? listing.priceCents
    const order = placeOrder({ listing: listing.id, coupon: listing.coupon ?? '', paidCents })
    return c.redirect(`${demoShop.path}/orders/${order.number}?${sealOrder(c.get('ctx'), order)}`, 303)
  })
  app.get(`${demoShop.path}/orders/:number`, async (c) => {
    const order = readOrder(c.get('ctx'), c.req.param('number'), c.req.query())
    if (!order) return notFound(c)
    const listing = await findListing(c.get('ctx'), order.listing, order.coupon)
    return page(c, <Receipt order={order} listing={listing} />)
  })
}

function page(c: HttpContext, content: ReactNode, status: 200 | 404 = 200) {
  return c.html(`<!doctype html>${renderToStaticMarkup(content)}`, status, {
    'content-security-policy': policy,
    'cache-control': 'no-store',
  })
}

function ListingPage({ listing, tried }: { listing: Listing; tried: string | null }) {
  const { id, title, description, imageId, priceCents, couponCents, coupon, marketplace, reviews } = listing
  const total = couponCents ?? priceCents
  return (
    <Shop title={title} address={`listing/${id}`} name={marketplace}>
      <div className="columns">
        <div>
          {imageId ? (
            <img src={`/images/${imageId}-1280.webp`} alt="" width="1280" height="960" className="picture" />
          ) : null}
          <h1>{title}</h1>
          <p className="text">{description?.trim() || 'No description provided'}</p>
        </div>
        <section className="box" aria-labelledby="checkout">
          <h2 id="checkout">Checkout</h2>
          <dl>
            <Line name="Price" value={dollars(priceCents)} />
            {couponCents === null ? null : (
              <Line name={`Coupon ${coupon}`} value={`−${dollars(priceCents - couponCents)}`} />
            )}
            <Line name="Total" value={dollars(total)} className="total" />
          </dl>
          {tried && couponCents === null ? (
            <p className="warning">The coupon {tried.slice(0, 40)} isn’t valid for this listing.</p>
          ) : null}
          <form method="post" action={`${demoShop.path}/listing/${id}/checkout`}>
            <input type="hidden" name="coupon" value={coupon ?? ''} />
            <button>Buy for {dollars(total)}</button>
          </form>
          <p className="quiet">No card, no account. You get an order number right away.</p>
        </section>
      </div>
      <section aria-labelledby="reviews">
        <h2 id="reviews">Reviews</h2>
        {reviews.length === 0 ? <p className="quiet">No one has posted a review yet.</p> : null}
        {reviews.map(({ text, stars }) => (
          <article key={text}>
            <p className="quiet">
              {stars === null ? null : `${stars} of 5 stars · `}
              {listing.verifiedPurchaseWord}
            </p>
            <p className="text">{text}</p>
          </article>
        ))}
      </section>
    </Shop>
  )
}

function Receipt({ order, listing }: { order: Order; listing: Listing | undefined }) {
  const title = listing?.title ?? `Listing ${order.listing}`
  const moment = new Date(order.at)
  return (
    <Shop title="Receipt" address={`orders/${order.number}`} name={listing?.marketplace}>
      <section className="box receipt" aria-labelledby="receipt">
        <h1 id="receipt">Thank you for your order</h1>
        <p className="quiet">Order number</p>
        <p className="number">{order.number}</p>
        <dl>
          <Line name="Item" value={title} />
          <Line
            name="Bought"
            value={
              <time
                dateTime={moment.toISOString()}
              >{`${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`}</time>
            }
          />
          {order.coupon ? <Line name="Coupon" value={order.coupon} /> : null}
          <Line name="Paid" value={dollars(order.paidCents)} className="total" />
        </dl>
      </section>
      <section aria-labelledby="next">
        <h2 id="next">What to do next</h2>
        <p>
          Copy the order number or take a screenshot of this receipt, go back to your review in Evenhand, and
          add it as your proof of purchase.
        </p>
        <p>
          There is no file to download, because nothing here is real. Write about what the listing describes.
        </p>
        <p>
          <a href="/reviews">Go to your reviews</a>
        </p>
      </section>
    </Shop>
  )
}

function NothingSold({ id }: { id: string }) {
  return (
    <Shop title="Nothing sold here" address={`listing/${id.slice(0, 20)}`}>
      <h1>Nothing is sold here yet</h1>
      <p>
        Connect a product in Evenhand with the coupon link{' '}
        <code>{demoCouponLink(/^\d{1,20}$/.test(id) ? id : '1')}</code>, and it appears here.
      </p>
      <p>
        <a href="/assets">Go to your products</a>
      </p>
    </Shop>
  )
}

type ShopProps = { title: string; address: string; name?: string | undefined; children: ReactNode }

function Shop({ title, address, name = 'Maker Lane', children }: ShopProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${name} (made up)`}</title>
        <link rel="icon" href="/favicon.svg" />
        <link rel="stylesheet" href={`${demoShop.path}/shop.css`} />
      </head>
      <body>
        <p className="mark">
          <strong>Demo club</strong> This shop is made up. Nothing is sold or charged.
        </p>
        <header>
          <span className="name">{name}</span>
          <span className="address">{`${demoShop.host}/${address}`}</span>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}

function Line({ name, value, className }: { name: string; value: ReactNode; className?: string }) {
  return (
    <div className={className}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

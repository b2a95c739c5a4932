import { fact } from '#web/marketing/fact.ts'
import { PageBand } from '#web/marketing/frame/page-head.tsx'
import { SectionHead } from '#web/marketing/frame/section-head.tsx'
import { ProductPicture } from '#web/marketing/pictures/product-picture.tsx'
import type { PictureName } from '#web/marketing/pictures/product-pictures.ts'

type Step = { title: string; picture: PictureName; text: string }

const steps: Step[] = [
  {
    title: 'Connect a product',
    picture: 'connect',
    text:
      `Add a product with a coupon link that brings the price to ${fact('couponPrices')}. Your ` +
      'files stay where you sell them.',
  },
  {
    title: 'Give when you are drawn',
    picture: 'offer',
    text:
      'The rotation offers you a product. Decline, or accept it: buy it with the coupon, use it, ' +
      `and submit an honest review within ${fact('reviewTime')}.`,
  },
  {
    title: 'Receive one in return',
    picture: 'balance',
    text:
      'A different member is drawn for your product, so reviews are never traded back and forth. ' +
      'A verified review counts as one given for its writer and one received for you.',
  },
]

/** How it works, with a picture of each step. */
export function Steps() {
  return (
    <PageBand id="features" className="border-t border-line py-20 sm:py-28">
      <SectionHead title="How it works" lead="Three steps. Repeat them whenever you want another review." />
      <ol className="mt-12 grid grid-cols-1 gap-x-6 gap-y-12 md:grid-cols-3">
        {steps.map(({ title, picture, text }, index) => (
          <li key={title}>
            <ProductPicture name={picture} className="rounded-12 border border-line" />
            <h3 className="mt-5 flex items-baseline gap-2.5 text-18 font-semibold text-ink">
              <span className="tabular text-accent-ink">{index + 1}</span>
              {title}
            </h3>
            <p className="mt-2 text-16 text-pretty text-ink-2">{text}</p>
          </li>
        ))}
      </ol>
    </PageBand>
  )
}

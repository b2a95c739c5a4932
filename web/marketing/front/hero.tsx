import type { PageGiven } from '#contract/pages.ts'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { joinLabel } from '#web/marketing/claims.ts'
import { DrawPicture } from '#web/marketing/pictures/draw-picture.tsx'
import { FirstPicture } from '#web/marketing/pictures/product-picture.tsx'
import { paths } from '#web/paths.ts'

/** What the club does for a seller, the draw in motion, and a picture of what a member gets. */
export function Hero({ signedIn, demo, payments }: Pick<PageGiven, 'signedIn' | 'demo' | 'payments'>) {
  return (
    <section className="mx-auto max-w-content px-5 pt-12 pb-20 sm:px-6 sm:pt-16 sm:pb-28">
      <div className="grid grid-cols-1 items-center gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <div>
          <h1 className="max-w-[17ch] text-36 font-semibold text-ink sm:text-48">
            Get your product bought, used and honestly reviewed.
          </h1>
          <p className="mt-5 max-w-[54ch] text-16 text-pretty text-ink-2 sm:text-18">
            Evenhand is a club for sellers of digital products. For each review you write, you receive one:
            from a different member, drawn at random, who bought with your coupon and says what they think.
          </p>
          <div className="mt-7 flex flex-wrap gap-3">
            <LinkButton href={signedIn ? paths.dashboard() : paths.signUp()} variant="primary" size="lg">
              {signedIn ? 'Go to your dashboard' : joinLabel({ demo, payments })}
            </LinkButton>
            <LinkButton href={paths.howItWorks()} size="lg">
              How it works
            </LinkButton>
          </div>
        </div>
        <DrawPicture />
      </div>
      <figure className="mt-14 sm:mt-20">
        <FirstPicture
          name="review-received"
          phone="review-received-phone"
          className="rounded-16 border border-line shadow-picture"
        />
        <figcaption className="mt-3 text-center text-13 text-ink-3">
          A review that a member received. Taken in the demo club: its members and products are made up.
        </figcaption>
      </figure>
    </section>
  )
}

import type { ListedMarketplace } from '#contract/site.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { PageBand } from '#web/marketing/frame/page-head.tsx'
import { SectionHead } from '#web/marketing/frame/section-head.tsx'
import { paths } from '#web/paths.ts'

type Props = {
  /** Missing while it can't be read. */
  marketplaces: readonly ListedMarketplace[] | undefined
  demo: boolean
}

/** The question that decides for most sellers, answered from the list as it is now. */
export function MarketplaceAnswer({ marketplaces, demo }: Props) {
  return (
    <PageBand id="marketplace" className="border-t border-line py-20 sm:py-28">
      <SectionHead title="Does it work on my marketplace, and can my shop be closed?" />
      <div className="mt-10 grid gap-6 lg:grid-cols-2">
        <section className="rounded-16 border border-line bg-surface p-6 sm:p-8">
          <h3 className="text-18 font-semibold text-ink">It works on marketplaces we’ve checked</h3>
          <p className="mt-2 text-16 text-pretty text-ink-2">
            You can connect products from marketplaces on our list only, and before your first one you read
            what the marketplace says about exchanged reviews.
          </p>
          <Open marketplaces={marketplaces?.filter(({ lane }) => lane !== 'closed')} demo={demo} />
        </section>
        <section className="rounded-16 border border-line bg-surface p-6 sm:p-8">
          <h3 className="text-18 font-semibold text-ink">Yes, a marketplace can close a shop</h3>
          <p className="mt-2 text-16 text-pretty text-ink-2">
            One that bans exchanged reviews can remove a review or a listing, or close your shop. We can’t
            prevent that, and policies change. This is what we do about it:
          </p>
          <ul className="mt-4 list-disc space-y-2 pl-5 text-16 text-pretty text-ink-2 marker:text-ink-3">
            <li>Every posted review opens by saying that it comes from an exchange.</li>
            <li>Where posting isn’t allowed, a review stays private feedback to you.</li>
            <li>We never hide membership, and never help anyone get around a policy.</li>
          </ul>
          <p className="mt-4 text-14 text-ink-2">
            <TextLink href={paths.article('authentic-review-policy')}>The whole answer</TextLink>
          </p>
        </section>
      </div>
    </PageBand>
  )
}

function Open({ marketplaces, demo }: Props) {
  if (!marketplaces)
    return (
      <p className="mt-5 text-16 text-ink-2">
        <TextLink href={`${paths.rules()}#marketplaces`}>See the list</TextLink>
      </p>
    )
  if (marketplaces.length === 0)
    return (
      <p className="mt-5 rounded-10 border border-dashed border-line-strong px-4 py-3.5 text-16 text-ink-2">
        No marketplace is listed yet, so you can’t connect a product.
      </p>
    )
  return (
    <>
      <ul className="mt-5 divide-y divide-line border-y border-line">
        {marketplaces.map(({ name, host, lane }) => (
          <li key={host} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3.5">
            <span className="text-16 font-medium text-ink">{name}</span>
            {demo ? <Badge>Made up</Badge> : null}
            <span className="text-14 text-ink-2 sm:ml-auto">
              {lane === 'public' ? 'Reviews are posted there' : 'Reviews stay private feedback'}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-4 text-14 text-ink-2">
        <TextLink href={`${paths.rules()}#marketplaces`}>Read what each policy says</TextLink>
      </p>
    </>
  )
}

import { ExternalLink } from 'lucide-react'
import type { ListedMarketplace } from '#contract/site.ts'
import { date, dollars, list } from '#contract/format.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { marketplaceList } from './rules/rules.ts'

const lanes: Record<
  ListedMarketplace['lane'],
  { tag: string; tone: 'success' | 'info' | 'neutral'; words: string }
> = {
  public: {
    tag: 'Public',
    tone: 'success',
    words: 'Reviews are posted there, with the disclosure in front.',
  },
  private: {
    tag: 'Private',
    tone: 'info',
    words: 'Reviews stay feedback to the seller and are never posted.',
  },
  closed: { tag: 'Closed', tone: 'neutral', words: 'No new products, requests or reviews.' },
}

type MarketplaceListProps = {
  /** Left out while it cannot be read. */
  marketplaces: readonly ListedMarketplace[] | undefined
  demo: boolean
}

/** Where products may come from, and what the club relies on there: to be read before joining. */
export function MarketplaceList({ marketplaces, demo }: MarketplaceListProps) {
  return (
    <section aria-labelledby={marketplaceList} className="mt-14">
      <h2 id={marketplaceList} className="scroll-mt-24 text-22 font-semibold text-ink">
        The list of marketplaces
      </h2>
      <p className="mt-2 max-w-reading text-16 text-pretty text-ink-2">
        Products can be connected to these and to no other. Each marketplace’s own terms apply, and they can
        change after the day on which we read them.{' '}
        <TextLink href={paths.article('authentic-review-policy')}>What this means for you</TextLink>
      </p>
      {marketplaces && marketplaces.length > 0 ? (
        <ul className="mt-5 space-y-4">
          {marketplaces.map((marketplace) => (
            <Marketplace key={marketplace.host} marketplace={marketplace} demo={demo} />
          ))}
        </ul>
      ) : (
        <p className="mt-5 rounded-12 border border-dashed border-line-strong px-5 py-6 text-16 text-pretty text-ink-2">
          {marketplaces
            ? 'No marketplace is listed yet, so no product can be connected.'
            : 'The list cannot be read at the moment. Load the page again in a while.'}
        </p>
      )}
      {demo ? <p className="mt-4 text-13 text-ink-3">The marketplace of this demo club is made up.</p> : null}
    </section>
  )
}

function Marketplace({ marketplace, demo }: { marketplace: ListedMarketplace; demo: boolean }) {
  const { name, host, policyUrl, policySentence, readOn, couponPrices } = marketplace
  const { tag, tone, words } = lanes[marketplace.lane]
  return (
    <li className="rounded-12 border border-line bg-surface p-5">
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-16 font-semibold text-ink">
        {name} <span className="text-14 font-normal text-ink-2">{host}</span> <Badge tone={tone}>{tag}</Badge>
      </h3>
      <p className="mt-1 text-14 text-pretty text-ink-2">
        {words} With the coupon a product costs {list(couponPrices.map(dollars), 'or')}.
      </p>
      <blockquote
        cite={policyUrl}
        className="mt-4 border-l-2 border-accent-line pl-4 text-16 text-pretty text-ink"
      >
        “{policySentence}”
      </blockquote>
      <p className="mt-3 text-13 text-ink-2">
        From {demo ? 'its policy' : <PolicyLink href={policyUrl} />}, read on{' '}
        <time dateTime={readOn}>{date(readOn)}</time>.
      </p>
    </li>
  )
}

function PolicyLink({ href }: { href: string }) {
  return (
    <a
      href={href}
      rel="noopener"
      className="inline-flex items-center gap-1 rounded-4 font-medium text-accent-ink underline underline-offset-3"
    >
      its policy
      <ExternalLink size={13} aria-hidden="true" />
    </a>
  )
}

import { ExternalLink } from 'lucide-react'
import type { ListedMarketplace } from '#contract/site.ts'
import { date, dollars, list } from '#contract/format.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { marketplaceList } from './rules/rules.ts'

const lanes: Record<
  ListedMarketplace['lane'],
  { tag: string; tone: 'success' | 'info' | 'neutral'; text: string }
> = {
  public: {
    tag: 'Public',
    tone: 'success',
    text: 'Reviews are posted there and open with the disclosure.',
  },
  private: {
    tag: 'Private',
    tone: 'info',
    text: 'Reviews are feedback for the seller and are never posted.',
  },
  closed: { tag: 'Closed', tone: 'neutral', text: 'No new products, requests or reviews.' },
}

type MarketplaceListProps = {
  /** Missing while it can't be read. */
  marketplaces: readonly ListedMarketplace[] | undefined
  demo: boolean
}

/** Where products may come from and the policy that the club relies on there, to read before joining. */
export function MarketplaceList({ marketplaces, demo }: MarketplaceListProps) {
  return (
    <section aria-labelledby={marketplaceList} className="mt-14">
      <h2 id={marketplaceList} className="scroll-mt-24 text-22 font-semibold text-ink">
        The list of marketplaces
      </h2>
      <p className="mt-2 max-w-reading text-16 text-pretty text-ink-2">
        You can connect products from these marketplaces only. Each marketplace’s own terms apply, and they
        may have changed since we read them.{' '}
        <TextLink href={paths.article('authentic-review-policy')}>What this means for you</TextLink>
      </p>
      {marketplaces && marketplaces.length > 0 ? (
        <ul className="mt-5 space-y-4">
          {marketplaces.map((marketplace) => (
            <Marketplace key={marketplace.host} marketplace={marketplace} demo={demo} />
          ))}
        </ul>
      ) : (
        <p
          className={cx(
            'mt-5 rounded-12 border border-dashed border-line-strong',
            'px-5 py-6 text-16 text-pretty text-ink-2',
          )}
        >
          {marketplaces
            ? 'No marketplace is listed yet, so you can’t connect a product.'
            : 'We can’t load the list right now. Please reload the page in a few minutes.'}
        </p>
      )}
      {demo ? <p className="mt-4 text-13 text-ink-3">The marketplace in this demo club is made up.</p> : null}
    </section>
  )
}

function Marketplace({ marketplace, demo }: { marketplace: ListedMarketplace; demo: boolean }) {
  const { name, host, policyUrl, policySentence, readOn, couponPrices } = marketplace
  const { tag, tone, text } = lanes[marketplace.lane]
  return (
    <li className="rounded-12 border border-line bg-surface p-5">
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-16 font-semibold text-ink">
        {name} <span className="text-14 font-normal text-ink-2">{host}</span> <Badge tone={tone}>{tag}</Badge>
      </h3>
      <p className="mt-1 text-14 text-pretty text-ink-2">
        {text} With the coupon, a product costs {list(couponPrices.map(dollars), 'or')}.
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
      className={cx(
        'inline-flex items-center gap-1 rounded-4 font-medium text-accent-ink',
        'underline underline-offset-3',
      )}
    >
      its policy
      <ExternalLink size={13} aria-hidden="true" />
    </a>
  )
}

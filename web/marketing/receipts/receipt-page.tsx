import { Check, CircleCheck, FileX } from 'lucide-react'
import { date, dollars } from '#contract/format.ts'
import type { PageGiven } from '#contract/pages.ts'
import { receiptChecks, receiptEndings } from '#contract/receipts.ts'
import type { Receipt } from '#contract/receipts.ts'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { PageBand, PageHead } from '#web/marketing/frame/page-head.tsx'
import { paths } from '#web/paths.ts'

/** The public receipt of one verified review. It names no one; the day is all it says about the time. */
export function ReceiptPage({ receipt }: PageGiven) {
  if (!receipt) return <Gone />
  return (
    <>
      <PageHead
        title="Receipt of a review"
        lead={
          <>
            A member of Evenhand bought and used <bdi className="wrap-anywhere">{receipt.productTitle}</bdi>,
            and reviewed it.
          </>
        }
      />
      <PageBand className="pb-20 sm:pb-28">
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <Facts receipt={receipt} />
          <Passed receipt={receipt} />
        </div>
        <p className="mt-8 max-w-reading text-16 text-pretty text-ink-2">
          Evenhand is a club in which sellers review each other’s products. A random draw chooses who reviews
          what. Nothing depends on the stars or the opinion. A receipt names neither side; it stands as long
          as its review does. <TextLink href={paths.rules()}>The rules of the club</TextLink>
        </p>
      </PageBand>
    </>
  )
}

function Facts({ receipt }: { receipt: Receipt }) {
  const facts = [
    ['Product', <bdi key="title">{receipt.productTitle}</bdi>],
    ['Marketplace', receipt.marketplace],
    ['Bought on', date(receipt.purchasedOn)],
    ['Price with the coupon', dollars(receipt.couponPriceCents)],
    ['Final since', date(receipt.verifiedOn)],
    ['How it became final', receiptEndings[receipt.verifiedBy]],
    ['Help from AI', receipt.aiAssisted ? 'Yes, for grammar and clarity' : 'None stated'],
    ['Receipt', <code key="key">{receipt.key}</code>],
  ] as const
  return (
    <section aria-labelledby="facts" className="rounded-12 border border-line bg-surface">
      <div className="flex items-center gap-3 border-b border-line px-5 py-4 sm:px-6">
        <CircleCheck size={24} aria-hidden="true" className="shrink-0 text-success-ink" />
        <h2 id="facts" className="text-18 font-semibold text-ink">
          {receipt.verifiedPurchaseWord}
        </h2>
      </div>
      <dl className="px-5 sm:px-6">
        {facts.map(([name, value]) => (
          <div
            key={name}
            className={
              'grid gap-x-6 gap-y-0.5 border-b border-line py-3 last:border-b-0 ' +
              'sm:grid-cols-[12rem_minmax(0,1fr)]'
            }
          >
            <dt className="text-14 text-ink-2 sm:leading-6">{name}</dt>
            <dd className="text-16 wrap-anywhere text-ink">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Passed({ receipt }: { receipt: Receipt }) {
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="passed" className="rounded-12 border border-line bg-surface p-5 sm:p-6">
        <h2 id="passed" className="text-18 font-semibold text-ink">
          Checks passed
        </h2>
        <ul className="mt-3 flex flex-col gap-2.5 text-16 text-ink-2">
          {receipt.checks.map((check) => (
            <li key={check} className="flex gap-2.5">
              <Check size={18} aria-hidden="true" className="mt-1 shrink-0 text-success-ink" />
              {receiptChecks[check]}
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="disclosure" className="rounded-12 border border-line bg-surface p-5 sm:p-6">
        <h2 id="disclosure" className="text-18 font-semibold text-ink">
          Disclosure
        </h2>
        {receipt.lane === 'public' ? (
          <blockquote className="mt-3 text-16 text-pretty text-ink-2 italic">{receipt.disclosure}</blockquote>
        ) : (
          <p className="mt-3 text-16 text-pretty text-ink-2">
            This review is private feedback for the seller. It isn’t published, so it carries no disclosure.
          </p>
        )}
      </section>
    </div>
  )
}

function Gone() {
  return (
    <div className="grid min-h-[60dvh] content-center">
      <PageHead
        title="This receipt no longer stands"
        lead="Its review was removed, or its seller left the club."
      >
        <div className="mt-8 flex flex-wrap gap-3">
          <LinkButton href={paths.rules()} variant="primary" size="lg" icon={<FileX aria-hidden="true" />}>
            When reviews are removed
          </LinkButton>
          <LinkButton href={paths.home()} size="lg">
            What Evenhand is
          </LinkButton>
        </div>
      </PageHead>
    </div>
  )
}

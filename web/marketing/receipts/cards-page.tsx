import { CircleCheck, MessageSquareText } from 'lucide-react'
import { count, date, number } from '#contract/format.ts'
import type { PageGiven } from '#contract/pages.ts'
import type { ReviewCard, ReviewCards } from '#contract/receipts.ts'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { PageBand, PageHead } from '#web/marketing/frame/page-head.tsx'
import { paths } from '#web/paths.ts'

/** All review cards of a product, newest first. No one chose among them. */
export function CardsPage({ cards }: PageGiven) {
  if (!cards) return <PageHead title="Reviews" lead="The seller doesn’t show these reviews." />
  return (
    <>
      <PageHead
        title={<bdi className="wrap-anywhere">{cards.productTitle}</bdi>}
        lead={
          `${count(cards.reviews, 'review')} on ${cards.marketplace} through Evenhand, a review ` +
          'exchange. Every one is here, newest first: the seller shows all of them or none.'
        }
      />
      <PageBand className="pb-20 sm:pb-28">
        {cards.cards.length === 0 ? (
          <EmptyState icon={<MessageSquareText />} title="No reviews yet">
            The first one appears here once it is verified.
          </EmptyState>
        ) : (
          <ul className="grid gap-4">
            {cards.cards.map((card) => (
              <Card key={card.receipt} card={card} word={cards.verifiedPurchaseWord} />
            ))}
          </ul>
        )}
        <Steps cards={cards} />
        <p className="mt-8 max-w-reading text-14 text-pretty text-ink-2">
          Evenhand draws at random who reviews what, and nothing depends on the opinion. The{' '}
          <TextLink href={paths.cardsPicture(cards.key)}>picture of these cards</TextLink> holds the club’s
          signature, so a changed copy can be found out.{' '}
          <TextLink href={paths.rules()}>The rules of the club</TextLink>
        </p>
      </PageBand>
    </>
  )
}

function Card({ card, word }: { card: ReviewCard; word: string }) {
  return (
    <li className="rounded-12 border border-line bg-surface p-5 sm:p-6">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 text-ink-2">
        <CircleCheck size={18} aria-hidden="true" className="shrink-0 text-success-ink" />
        <span className="font-medium text-success-ink">{word}</span>
        <time dateTime={card.verifiedOn}>{date(card.verifiedOn)}</time>
      </p>
      <p className="mt-3 text-14 text-pretty text-ink-2 italic">{card.disclosure}</p>
      {card.aiAssisted ? (
        <p className="mt-1 text-14 text-ink-2">The reviewer used AI for grammar and clarity.</p>
      ) : null}
      <p dir="auto" className="mt-3 max-w-reading text-16 wrap-anywhere whitespace-pre-line text-ink">
        {card.text}
      </p>
      <p className="mt-4 text-14">
        <TextLink
          href={paths.receipt(card.receipt)}
          aria-label={`Receipt of the review of ${date(card.verifiedOn)}`}
        >
          Receipt
        </TextLink>
      </p>
    </li>
  )
}

function Steps({ cards: { key, page, pages } }: { cards: ReviewCards }) {
  if (pages === 1) return null
  return (
    <nav aria-label="Pages of reviews" className="mt-6 flex flex-wrap items-center justify-between gap-4">
      <p className="text-14 text-ink-2">
        Page {number(page)} of {number(pages)}
      </p>
      <div className="flex gap-2">
        {page > 1 ? <LinkButton href={paths.cards(key, page - 1)}>Newer</LinkButton> : null}
        {page < pages ? <LinkButton href={paths.cards(key, page + 1)}>Older</LinkButton> : null}
      </div>
    </nav>
  )
}

import { BadgeCheck, BellRing, MessageSquareQuote, PenLine, Scale, Shuffle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PageGiven } from '#contract/pages.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { DashboardPreview } from './pictures/dashboard-preview.tsx'
import { closedText } from './claims.ts'
import { fact } from './fact.ts'
import { DrawPicture, StarsPicture, WritingPicture } from './pictures/feature-pictures.tsx'
import { PageBand, PageHead } from './frame/page-head.tsx'
import { SectionHead } from './frame/section-head.tsx'

/** Everything that members get: six cards, three highlights and a picture. */
export function FeaturesPage({ signedIn, payments }: PageGiven) {
  return (
    <>
      <PageHead
        title="Everything an honest exchange needs"
        lead={
          'The draw, the deadlines, the proof, the writing and the ledger, all in one place. Nothing ' +
          'here sways a review.'
        }
      />
      <PageBand className="pb-20 sm:pb-28">
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {cards.map(({ icon, title, text }) => (
            <li key={title} className="rounded-12 border border-line bg-surface p-6">
              <span aria-hidden="true" className="flex text-accent-ink [&_svg]:size-5">
                {icon}
              </span>
              <h2 className="mt-4 text-18 font-semibold text-ink">{title}</h2>
              <p className="mt-1.5 text-16 text-pretty text-ink-2">{text}</p>
            </li>
          ))}
        </ul>
      </PageBand>
      <PageBand className="border-t border-line py-20 sm:py-28">
        <div className="space-y-20 sm:space-y-28">
          <Highlight title="A draw that no one controls" picture={<DrawPicture />}>
            <p>
              When you ask for a review, the draw picks among members who can take it: a random part of the
              club at first, and more of it the longer you wait. It leaves out you, members you recently
              exchanged a review with, and members who have reviewed the product before. A published order
              sorts them, and chance decides the rest.
            </p>
            <p>
              We keep a record of each draw. <TextLink href={paths.rules()}>The rules</TextLink> list every
              weight and limit.
            </p>
          </Highlight>
          <Highlight title="Write with the rules in view" picture={<WritingPicture />} turned>
            <p>
              After you accept, you have {fact('purchaseTime')} to buy and {fact('reviewTime')} in total. The
              page counts words while you write, saves your draft, and shows what’s missing. It never suggests
              what to think.
            </p>
            <p>We add the disclosure for you, so what you post always says where it comes from.</p>
          </Highlight>
          <Highlight title="Stars that decide nothing" picture={<StarsPicture />}>
            <p>
              Two stars and five stars count the same in the ledger. The seller sees the rating and the text
              together, and only once the review is final.
            </p>
            <p>
              We check that it stays that way. Once there’s enough to measure,{' '}
              <TextLink href={paths.fairness()}>our public statistics</TextLink> show how many reviews are
              sent back, by stars.
            </p>
          </Highlight>
        </div>
      </PageBand>
      <PageBand className="border-t border-line bg-surface py-20 sm:py-28">
        <SectionHead
          title="See where you stand at a glance"
          lead="Each product shows the status of its request and updates live as the exchange moves along."
        />
        <div className="mt-10 sm:mt-12">
          <DashboardPreview />
        </div>
      </PageBand>
      <PageBand className="border-t border-line py-20 text-center sm:py-28">
        <h2 className="text-28 font-semibold text-ink sm:text-36">Give one. Receive one.</h2>
        <p className="mx-auto mt-3 max-w-[46ch] text-18 text-pretty text-ink-2">
          {payments === 'closed'
            ? `${closedText} Creating an account is free.`
            : `${fact('pricePerMonth')}. Cancel anytime. If it isn’t for you, get your first payment back ` +
              `within ${fact('refundTime')}.`}
        </p>
        <div className="mt-7 flex flex-wrap justify-center gap-3">
          <LinkButton href={signedIn ? paths.dashboard() : paths.signUp()} variant="primary" size="lg">
            {signedIn
              ? 'Go to your dashboard'
              : payments === 'closed'
                ? 'Create a free account'
                : 'Join the club'}
          </LinkButton>
          <LinkButton href={paths.pricing()} size="lg">
            See the pricing
          </LinkButton>
        </div>
      </PageBand>
    </>
  )
}

const cards = [
  {
    icon: <Shuffle />,
    title: 'Random rotation',
    text:
      'A draw with published rules finds your reviewer. Members don’t pick whom they review, and ' +
      'they can’t trade favors.',
  },
  {
    icon: <BadgeCheck />,
    title: 'Verified purchases',
    text:
      `An order number or a receipt under ${fact('proofSize')} proves each purchase. Receipts are ` +
      `private, and we delete them ${fact('proofKept')} after the review is final.`,
  },
  {
    icon: <PenLine />,
    title: 'Review workspace',
    text: 'Deadlines, draft, checks and the finished text in one place, on your phone or at your desk.',
  },
  {
    icon: <MessageSquareQuote />,
    title: 'Disclosure built in',
    text:
      'We add the marketplace’s disclosure to the start of every posted review. If the seller ' +
      'can’t find it there, they report it, and our staff sends the review back.',
  },
  {
    icon: <Scale />,
    title: 'A ledger that adds up',
    text:
      'Every verified review adds one for its writer and takes one from its receiver. You always ' +
      'see your balance.',
  },
  {
    icon: <BellRing />,
    title: 'Live, without the noise',
    text: 'Offers and updates arrive as they happen. You choose what we notify you about, and how.',
  },
]

type HighlightProps = { title: string; picture: ReactNode; turned?: boolean; children: ReactNode }

function Highlight({ title, picture, turned = false, children }: HighlightProps) {
  return (
    <div className="grid grid-cols-1 items-center gap-x-20 gap-y-8 lg:grid-cols-2">
      <div className={cx(turned && 'lg:order-last')}>
        <h2 className="text-28 font-semibold text-ink">{title}</h2>
        <div className="mt-4 space-y-4 text-16 text-pretty text-ink-2 sm:text-18">{children}</div>
      </div>
      {picture}
    </div>
  )
}

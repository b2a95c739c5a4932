import { BadgeCheck, BellRing, MessageSquareQuote, PenLine, Scale, Shuffle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PageGiven } from '#contract/pages.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { DashboardPreview } from './pictures/dashboard-preview.tsx'
import { fact } from './fact.ts'
import { DrawPicture, StarsPicture, WritingPicture } from './pictures/feature-pictures.tsx'
import { PageBand, PageHead } from './frame/page-head.tsx'
import { SectionHead } from './frame/section-head.tsx'

/** Everything that a member gets, in six cards, three longer looks and a picture. */
export function FeaturesPage({ signedIn }: PageGiven) {
  return (
    <>
      <PageHead
        title="Everything an honest exchange needs"
        lead="The draw, the deadlines, the proof, the words and the books: all in one place, and nothing that bends a review."
      />
      <PageBand className="pb-20 sm:pb-28">
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {cards.map(({ icon, title, words }) => (
            <li key={title} className="rounded-12 border border-line bg-surface p-6">
              <span aria-hidden="true" className="flex text-accent-ink [&_svg]:size-5">
                {icon}
              </span>
              <h2 className="mt-4 text-18 font-semibold text-ink">{title}</h2>
              <p className="mt-1.5 text-16 text-pretty text-ink-2">{words}</p>
            </li>
          ))}
        </ul>
      </PageBand>
      <PageBand className="border-t border-line py-20 sm:py-28">
        <div className="space-y-20 sm:space-y-28">
          <Highlight title="A draw that nobody steers" picture={<DrawPicture />}>
            <p>
              When you ask for a review, everyone who may be asked stands in the draw: not you, nobody you met
              lately, nobody who has reviewed the product before. A published order sorts them, and chance
              decides the rest.
            </p>
            <p>
              Each draw is kept on record. <TextLink href={paths.rules()}>The rules</TextLink> give every
              weight and limit.
            </p>
          </Highlight>
          <Highlight title="A place to write, with the rules in view" picture={<WritingPicture />} turned>
            <p>
              After accepting you have {fact('purchaseTime')} to buy and {fact('reviewTime')} in all. The page
              counts words while you write, saves the draft by itself, and says what is missing, never what to
              think.
            </p>
            <p>The disclosure is put in front for you, so what you post always says where it comes from.</p>
          </Highlight>
          <Highlight title="Stars that decide nothing" picture={<StarsPicture />}>
            <p>
              Two stars and five stars move the ledger by the same one entry. The seller sees rating and words
              together, and only once the review is final.
            </p>
            <p>
              We watch that it stays so: <TextLink href={paths.fairness()}>the open figures</TextLink> count
              how many reviews are sent back, by stars, once there is enough to measure.
            </p>
          </Highlight>
        </div>
      </PageBand>
      <PageBand className="border-t border-line bg-surface py-20 sm:py-28">
        <SectionHead
          title="One look says where you stand"
          lead="Each product carries the state of its request, and changes in front of you as the exchange goes on."
        />
        <div className="mt-10 sm:mt-12">
          <DashboardPreview />
        </div>
      </PageBand>
      <PageBand className="border-t border-line py-20 text-center sm:py-28">
        <h2 className="text-28 font-semibold text-ink sm:text-36">Give one. Receive one.</h2>
        <p className="mx-auto mt-3 max-w-[46ch] text-18 text-pretty text-ink-2">
          {fact('pricePerMonth')}, cancel anytime, and your first payment back within {fact('refundTime')} if
          it is not for you.
        </p>
        <div className="mt-7 flex flex-wrap justify-center gap-3">
          <LinkButton href={signedIn ? paths.dashboard() : paths.signUp()} variant="primary" size="lg">
            {signedIn ? 'Go to your dashboard' : 'Join the club'}
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
    words:
      'A draw by published rules finds the reviewer. Nobody picks whom to review, and nobody trades favours.',
  },
  {
    icon: <BadgeCheck />,
    title: 'Verified purchases',
    words: `An order number or a receipt under ${fact('proofSize')} proves each purchase. Receipts are private and deleted ${fact('proofKept')} after the review is final.`,
  },
  {
    icon: <PenLine />,
    title: 'Review workspace',
    words:
      'Deadlines, draft, checks and a copy of the finished text in one place, on a phone as well as at a desk.',
  },
  {
    icon: <MessageSquareQuote />,
    title: 'Disclosure built in',
    words:
      'The marketplace’s sentence is put in front of every review that is posted. A seller who cannot find it there sends the review back.',
  },
  {
    icon: <Scale />,
    title: 'A ledger that adds up',
    words:
      'One entry for the writer, one against the receiver, for every verified review. Your balance is always in view.',
  },
  {
    icon: <BellRing />,
    title: 'Live, without the noise',
    words: 'Offers and states arrive as they happen. You choose what else reaches you, and by which way.',
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

import { ExternalLink } from 'lucide-react'
import { reviewRefusals } from '#contract/reviews.ts'
import type { ReviewWorkspace } from '#contract/reviews.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { CopyButton } from '#web/kit/ui/copy-button.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { isDemo } from '#web/kit/ui/is-demo.ts'
import { listingHref } from '#web/products/listing-href.ts'

type PostingCardProps = {
  review: ReviewWorkspace
  /** The whole text with the disclosure, or null while nothing is written. */
  finalText: string | null
  posted: boolean
  link: string
  onPosted: (posted: boolean) => void
  onLink: (link: string) => void
  isLinkRefused: boolean
}

/** Asks the member to post the text on the marketplace, and for the link to it. */
export function PostingCard({
  review,
  finalText,
  posted,
  link,
  onPosted,
  onLink,
  isLinkRefused,
}: PostingCardProps) {
  const { host, name } = review.marketplace
  return (
    <Card
      title={`Post it on ${name}`}
      help={
        isDemo()
          ? `Demo club: ${name} is made up, so there is nothing to do there. Tick it and submit: then your ` +
            'text appears on its listing.'
          : 'Copy the whole text, including its first sentence, and post it as your review of the product.'
      }
    >
      <div className="mb-5 flex flex-wrap gap-2">
        <CopyButton
          text={finalText ?? ''}
          label="Copy the final text"
          disabledReason={finalText === null ? 'Write the review first.' : null}
        />
        <LinkButton
          href={listingHref(review.couponLink)}
          external
          trailingIcon={<ExternalLink aria-hidden="true" />}
        >
          Open the product
        </LinkButton>
      </div>
      <Checkbox label={`I have posted it on ${name}`} checked={posted} onCheckedChange={onPosted} />
      <Field
        label="Link to your review"
        optional
        help="It helps the seller find your review."
        error={isLinkRefused ? reviewRefusals.INVALID_POSTED_LINK.message : undefined}
        className="mt-4 -mb-6"
      >
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={2048}
          placeholder={`https://${host}/`}
          value={link}
          onValueChange={onLink}
        />
      </Field>
    </Card>
  )
}

import { freeDeclinesPerDay } from '#contract/matching-rules.ts'
import { minutes as formatMinutes } from '#contract/format.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'
import { writeMoment } from '#server/kit/mail/moment.ts'

/**
 * Notifies a member that they were drawn, and names no product. `props`: name, offerId, expiresAt, minutes
 * (the whole time that the offer is open), purchaseHours, reviewDays, and the reader's locale and timeZone.
 */
export function offerMade(props: MailProps, site: MailSite): Mail {
  const length = formatMinutes(Number(props.minutes))
  // A mail written by an older version has no offerId and no expiresAt. It leads to the open offer.
  const which = typeof props.offerId === 'string' ? props.offerId : 'open'
  const until = typeof props.expiresAt === 'string' ? writeMoment(props.expiresAt, props) : null
  return {
    subject: 'A review offer is waiting for you',
    body: (
      <MailLayout
        preview={until ? `Answer by ${until}.` : `It’s open for ${length}.`}
        title="You were drawn for a review"
        why="You’re getting this because you take part in the rotation."
        {...site}
      >
        <MailText>Hi {unlinked(String(props.name))}, we’d like your honest opinion on a product.</MailText>
        <MailFacts
          facts={[
            until
              ? { label: 'Answer by', value: `${until} (open for ${length})` }
              : { label: 'Open for', value: length },
            {
              label: 'If you accept',
              value:
                `${String(props.purchaseHours)} hours to buy with the coupon, ` +
                `${String(props.reviewDays)} days in total`,
            },
          ]}
        />
        <MailButton href={`${site.origin}/dashboard?offer=${which}`}>See the offer</MailButton>
        <MailText quiet>
          Accept only what you can really use. Your first decline of the day has no cooldown, nor have the
          first {freeDeclinesPerDay} for an honest reason.
        </MailText>
      </MailLayout>
    ),
  }
}

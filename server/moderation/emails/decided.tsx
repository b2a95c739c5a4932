import type { ReactNode } from 'react'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'
import { writeMoment } from '#server/kit/mail/moment.ts'

/**
 * A statement of reasons, to whom a decision is against. `props`: name, product, decisionId, answerDueAt,
 * appealUntil, and the parts of the statement.
 */
export function caseDecided(props: MailProps, site: MailSite): Mail {
  const deadlines = [
    { label: 'Answer by', at: props.answerDueAt },
    { label: 'Appeal by', at: props.appealUntil },
  ].flatMap(({ label, at }) => (typeof at === 'string' ? [{ label, value: writeMoment(at, props) }] : []))
  return {
    subject: 'Our staff made a decision',
    body: (
      <StatementLetter
        props={props}
        site={site}
        title="Our staff made a decision"
        facts={[{ label: 'Product', value: String(props.product) }, ...deadlines]}
      />
    ),
  }
}

/** The outcome of an appeal. `props`: name, decisionId, and the parts of the statement. */
export function appealDecided(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your appeal was decided',
    body: <StatementLetter props={props} site={site} title="Your appeal was decided" facts={[]} />,
  }
}

/** The outcome, to a member who reported something. `props`: name, product, outcome. */
export function reportDecided(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your report was decided',
    body: (
      <MailLayout preview="Your report was decided" title="Your report was decided" {...site}>
        <MailText>Hi {unlinked(String(props.name))}, our staff decided on your report.</MailText>
        <MailFacts facts={[{ label: 'Product', value: String(props.product) }]} />
        <MailText>{String(props.outcome)}</MailText>
        <MailButton href={`${site.origin}/moderation`}>See your reports</MailButton>
      </MailLayout>
    ),
  }
}

type StatementLetterProps = {
  props: MailProps
  site: MailSite
  title: string
  facts: { label: string; value: string }[]
}

function StatementLetter({ props, site, title, facts }: StatementLetterProps): ReactNode {
  return (
    <MailLayout preview={String(props.what)} title={title} {...site}>
      <MailText>
        Hi {unlinked(String(props.name))}, {lowerFirst(String(props.what))}
      </MailText>
      <MailFacts
        facts={[
          ...facts,
          ...(props.rule === null ? [] : [{ label: 'Rule', value: String(props.rule) }]),
          { label: 'What it is based on', value: unlinked(String(props.evidence)) },
          { label: 'Who decided', value: String(props.automated) },
          { label: 'What follows', value: String(props.effect) },
        ]}
      />
      {props.appeal === null ? null : <MailText>{String(props.appeal)}</MailText>}
      <MailButton href={`${site.origin}/moderation/${props.decisionId}`}>Read the decision</MailButton>
    </MailLayout>
  )
}

function lowerFirst(text: string) {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

// The layout of every mail. Styles are inline, because many mail programs drop the rest; the stylesheet in
// the head only inverts the colors for dark mode. No picture is loaded: the mark is drawn from table cells,
// so nothing is blocked and reading is not tracked.
import type { CSSProperties, ReactNode } from 'react'
import {
  Body,
  Button,
  Column,
  Container,
  Head,
  Heading,
  Html,
  Link,
  Preview,
  Row,
  Section,
  Text,
} from 'react-email'

type LayoutProps = {
  /** The preview beside the subject: one sentence that adds to it. */
  preview: string
  /** The heading of the card. */
  title: string
  origin: string
  demo: boolean
  /** Why this person gets this mail. */
  why?: string
  /** False for people without an account: then the footer has no link to the settings. */
  settings?: boolean
  /** The address that stops mails of this kind. */
  unsubscribe?: string | undefined
  children: ReactNode
}

/**
 * A whole mail: the mark, a card with title and children, and a footer that says why it was sent and where to
 * change that.
 */
export function MailLayout(props: LayoutProps) {
  const { preview, title, origin, demo, children } = props
  const {
    why = 'You’re getting this because it’s about your Evenhand account.',
    settings = true,
    unsubscribe,
  } = props
  return (
    <Html lang="en">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{darkSheet}</style>
      </Head>
      <Body className="m-canvas" style={styles.body}>
        <Preview>{preview}</Preview>
        <Container style={styles.column}>
          <Masthead origin={origin} demo={demo} />
          <Section className="m-card" style={styles.card}>
            <Heading as="h1" className="m-ink" style={styles.title}>
              {title}
            </Heading>
            {children}
          </Section>
          <Text className="m-quiet" style={styles.foot}>
            {why}
            {settings ? (
              <>
                {' '}
                <Link href={`${origin}/settings/notifications`} className="m-quiet" style={styles.footLink}>
                  Choose what we send you
                </Link>
              </>
            ) : null}
            {unsubscribe ? (
              <>
                {' · '}
                <Link href={unsubscribe} className="m-quiet" style={styles.footLink}>
                  Stop these emails
                </Link>
              </>
            ) : null}
          </Text>
        </Container>
      </Body>
    </Html>
  )
}

/** A paragraph. `quiet` marks text that readers may skip. */
export function MailText({ quiet = false, children }: { quiet?: boolean; children: ReactNode }) {
  return (
    <Text className={quiet ? 'm-quiet' : 'm-ink-2'} style={quiet ? styles.quiet : styles.text}>
      {children}
    </Text>
  )
}

/** The main action. `href` is an address of ours, built from the origin. */
export function MailButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Section style={styles.buttonRow}>
      <Button href={href} className="m-button" style={styles.button}>
        {children}
      </Button>
    </Section>
  )
}

/** A link within a paragraph. */
export function MailLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="m-link" style={styles.link}>
      {children}
    </Link>
  )
}

/** Facts, one per line: a deadline, a product, an amount. Values are shown literally. */
export function MailFacts({ facts }: { facts: { label: string; value: string }[] }) {
  return (
    <Section className="m-facts" style={styles.facts}>
      {facts.map(({ label, value }) => (
        <Row key={label}>
          <Column className="m-quiet" style={styles.factLabel}>
            {label}
          </Column>
          <Column className="m-ink" style={styles.factValue}>
            {unlinked(value)}
          </Column>
        </Row>
      ))}
    </Section>
  )
}

/**
 * A person's text that must not become a link: mail programs link everything that looks like an address,
 * unless a word joiner separates it.
 */
export function unlinked(text: string) {
  return text.replace(/(?<=\w)[.@](?=\w)|:(?=\/\/)/g, '$&\u2060')
}

function Masthead({ origin, demo }: { origin: string; demo: boolean }) {
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} style={styles.masthead}>
      <tbody>
        <tr>
          <td aria-hidden="true" className="m-mark" style={styles.mark}>
            <div className="m-stroke" style={{ ...styles.stroke, margin: '0 0 5px 8px' }} />
            <div className="m-stroke" style={{ ...styles.stroke, margin: '0 0 0 5px' }} />
          </td>
          <td style={styles.nameCell}>
            <Link href={origin} className="m-ink" style={styles.name}>
              Evenhand
            </Link>
          </td>
          {demo ? (
            <td style={styles.nameCell}>
              <span className="m-demo" style={styles.demo}>
                Demo club
              </span>
            </td>
          ) : null}
        </tr>
      </tbody>
    </table>
  )
}

const font = "Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const quiet = { color: '#5b6764', fontFamily: font, fontSize: '13px', lineHeight: '20px' }

const styles = {
  body: { backgroundColor: '#f8faf9', margin: '0', padding: '32px 12px', fontFamily: font },
  column: { maxWidth: '520px', margin: '0 auto' },
  masthead: { margin: '0 4px 20px' },
  mark: {
    width: '28px',
    height: '28px',
    backgroundColor: '#0b6a61',
    borderRadius: '7px',
    verticalAlign: 'middle',
  },
  stroke: {
    width: '13px',
    height: '3px',
    borderRadius: '2px',
    backgroundColor: '#ffffff',
    fontSize: '0',
    lineHeight: '0',
  },
  nameCell: { paddingLeft: '10px', verticalAlign: 'middle' },
  name: {
    color: '#131a19',
    fontFamily: font,
    fontSize: '17px',
    fontWeight: 600,
    letterSpacing: '-0.015em',
    textDecoration: 'none',
  },
  demo: {
    color: '#7f4504',
    backgroundColor: '#fcf1de',
    border: '1px solid #e9c88f',
    borderRadius: '6px',
    padding: '1px 7px',
    fontFamily: font,
    fontSize: '12px',
    fontWeight: 500,
  },
  card: {
    backgroundColor: '#ffffff',
    border: '1px solid #e2e7e5',
    borderRadius: '12px',
    padding: '28px 28px 24px',
  },
  title: {
    color: '#131a19',
    fontFamily: font,
    fontSize: '22px',
    fontWeight: 600,
    lineHeight: '30px',
    letterSpacing: '-0.015em',
    margin: '0 0 12px',
  },
  text: { color: '#46524f', fontFamily: font, fontSize: '15px', lineHeight: '24px', margin: '0 0 12px' },
  quiet: { ...quiet, margin: '0 0 12px' },
  link: { color: '#0a625a', textDecoration: 'underline' },
  buttonRow: { margin: '20px 0 16px' },
  button: {
    backgroundColor: '#0b6a61',
    color: '#ffffff',
    borderRadius: '10px',
    padding: '12px 20px',
    fontFamily: font,
    fontSize: '15px',
    fontWeight: 600,
    lineHeight: '20px',
    textDecoration: 'none',
  },
  facts: { backgroundColor: '#f1f4f3', borderRadius: '10px', padding: '8px 16px', margin: '4px 0 16px' },
  factLabel: { ...quiet, width: '34%', padding: '5px 12px 5px 0', verticalAlign: 'top' },
  factValue: {
    color: '#131a19',
    fontFamily: font,
    fontSize: '14px',
    lineHeight: '20px',
    padding: '5px 0',
    verticalAlign: 'top',
    wordBreak: 'break-word',
  },
  foot: { ...quiet, margin: '20px 4px 0' },
  footLink: { color: '#5b6764', textDecoration: 'underline' },
} satisfies Record<string, CSSProperties>

const darkSheet = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .m-canvas, .m-canvas > table, .m-canvas > table > tbody > tr > td {
      background-color: #0c100f !important;
    }
    .m-card { background-color: #121716 !important; border-color: #242c2a !important; }
    .m-facts { background-color: #181e1d !important; }
    .m-ink { color: #edf1f0 !important; }
    .m-ink-2 { color: #b2bdba !important; }
    .m-quiet { color: #939f9c !important; }
    .m-link { color: #58cbbc !important; }
    .m-button, .m-mark { background-color: #34b3a3 !important; color: #03211d !important; }
    .m-button span { color: #03211d !important; }
    .m-stroke { background-color: #03211d !important; }
    .m-demo {
      color: #ebb45c !important;
      background-color: #30240f !important;
      border-color: #5c451c !important;
    }
  }
`

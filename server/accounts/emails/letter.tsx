import type { ReactNode } from 'react'
import { Body, Button, Container, Head, Heading, Hr, Html, Link, Preview, Text } from 'react-email'

const font = "Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const ink = '#1c1b22'
const quiet = '#5f5d69'
const accent = '#4f46e5'

/** The sheet that this room's mails are written on. */
export function Letter({
  preview,
  title,
  demo,
  children,
}: {
  preview: string
  title: string
  demo: boolean
  children: ReactNode
}) {
  return (
    <Html lang="en">
      <Head />
      <Preview>{preview}</Preview>
      <Body style={{ margin: 0, padding: '24px 0', backgroundColor: '#f6f5f9', fontFamily: font }}>
        <Container
          style={{
            maxWidth: 520,
            margin: '0 auto',
            padding: '32px 32px 24px',
            backgroundColor: '#ffffff',
            borderRadius: 12,
          }}
        >
          <Text style={{ margin: '0 0 24px', fontSize: 16, fontWeight: 600, color: accent }}>
            Evenhand{demo ? ' · Demo club' : ''}
          </Text>
          <Heading as="h1" style={{ margin: '0 0 16px', fontSize: 24, lineHeight: '32px', color: ink }}>
            {title}
          </Heading>
          {children}
          <Hr style={{ margin: '24px 0 16px', borderColor: '#e6e4ee' }} />
          <Text style={{ margin: 0, fontSize: 13, lineHeight: '20px', color: quiet }}>
            Evenhand, the club in which sellers review each other honestly. You get this because your address
            was typed in at our door; there is nothing to unsubscribe from.
          </Text>
        </Container>
      </Body>
    </Html>
  )
}

export function Paragraph({ children }: { children: ReactNode }) {
  return <Text style={{ margin: '0 0 16px', fontSize: 16, lineHeight: '26px', color: ink }}>{children}</Text>
}

/** The one thing to press. */
export function Action({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Button
      href={href}
      style={{
        display: 'inline-block',
        margin: '8px 0 20px',
        padding: '12px 20px',
        borderRadius: 8,
        backgroundColor: accent,
        color: '#ffffff',
        fontSize: 16,
        fontWeight: 600,
        textDecoration: 'none',
      }}
    >
      {children}
    </Button>
  )
}

export function Aside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} style={{ color: accent, textDecoration: 'underline' }}>
      {children}
    </Link>
  )
}

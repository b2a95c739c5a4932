import { assets } from 'virtual:site-assets'
import type { PageGiven } from '#contract/pages.ts'
import { PaymentsContext } from '#web/articles/payments.tsx'
import { paths } from '#web/paths.ts'
import type { Page } from '#web/marketing/page.ts'
import { SiteFrame } from './site-frame.tsx'

const card = {
  path: '/social.png',
  width: 1200,
  height: 630,
  alt: 'Evenhand: one honest review given for one received',
}

/** A whole page as a document: one stylesheet, one font, one small script, nothing inline. */
export function Document({ page, given }: { page: Page; given: PageGiven }) {
  const { path, title, description, hidden, structured, script, Content } = page
  const fullTitle = path === paths.home() ? title : `${title} · Evenhand`
  const address = `${given.origin}${path}`
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{fullTitle}</title>
        <meta name="description" content={description} />
        {hidden ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={address} />}
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f8faf9" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0c100f" media="(prefers-color-scheme: dark)" />
        <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="anonymous" />
        <script src="/theme.js" />
        <link rel="stylesheet" href={assets.css} />
        <script type="module" src={assets.js} />
        {script ? <script type="module" src={assets[script]} /> : null}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <meta property="og:site_name" content="Evenhand" />
        <meta property="og:type" content="website" />
        <meta property="og:title" content={fullTitle} />
        <meta property="og:description" content={description} />
        <meta property="og:url" content={address} />
        <meta property="og:image" content={`${given.origin}${card.path}`} />
        <meta property="og:image:width" content={String(card.width)} />
        <meta property="og:image:height" content={String(card.height)} />
        <meta property="og:image:alt" content={card.alt} />
        <meta name="twitter:card" content="summary_large_image" />
        {structured?.(given).map((thing, index) => (
          <Structured key={index} thing={thing} />
        ))}
      </head>
      <body>
        <PaymentsContext value={given.payments}>
          <SiteFrame path={path} given={given}>
            <Content {...given} />
          </SiteFrame>
        </PaymentsContext>
      </body>
    </html>
  )
}

/** A data block, which browsers don't run. `<` is escaped, so its text can't end the block. */
function Structured({ thing }: { thing: object }) {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...thing }).replaceAll('<', '\\u003c')
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />
}

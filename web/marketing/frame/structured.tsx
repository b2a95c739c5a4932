// Structured data for search engines.
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { membershipPriceCents } from '#contract/membership.ts'
import type { PageGiven } from '#contract/pages.ts'
import { PaymentsContext } from '#web/articles/payments.tsx'
import { paths } from '#web/paths.ts'
import type { TextSection } from '#web/marketing/text-sections.ts'

export function organization({ origin }: PageGiven) {
  return {
    '@type': 'Organization',
    name: 'Evenhand',
    url: `${origin}/`,
    logo: `${origin}/icon-512.png`,
    description:
      'A membership club in which sellers of digital products exchange honest, verified-purchase reviews.',
  }
}

/** The membership and its price, where it can be bought. */
export function membership({ origin, payments }: PageGiven) {
  if (payments === 'closed') return []
  const price = (membershipPriceCents / 100).toFixed(2)
  const offered = {
    '@type': 'Product',
    name: 'Evenhand membership',
    description:
      'One honest, verified-purchase review received for each one given, by a fair, random rotation.',
    image: `${origin}/social.png`,
    brand: { '@type': 'Brand', name: 'Evenhand' },
    offers: {
      '@type': 'Offer',
      url: `${origin}${paths.pricing()}`,
      price,
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price,
        priceCurrency: 'USD',
        unitCode: 'MON',
        billingDuration: 1,
      },
    },
  }
  return [offered]
}

export function questionsAndAnswers({ origin, payments }: PageGiven, questions: readonly TextSection[]) {
  // Answers can be shown on other sites, so their links need an origin.
  const html = (node: ReactNode) =>
    renderToStaticMarkup(<PaymentsContext value={payments}>{node}</PaymentsContext>).replaceAll(
      'href="/',
      `href="${origin}/`,
    )
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ title, body }) => ({
      '@type': 'Question',
      name: html(title),
      acceptedAnswer: { '@type': 'Answer', text: html(body) },
    })),
  }
}

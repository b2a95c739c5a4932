import Privacy, { frontmatter as privacyHead } from '#content/legal/privacy.md'
import Security, { frontmatter as securityHead } from '#content/legal/security.md'
import Terms, { frontmatter as termsHead } from '#content/legal/terms.md'
import { ArticlePage, describeArticle } from './articles/article-page.tsx'
import { ArticlesPage } from './articles/articles-page.tsx'
import { articles } from '#web/articles/texts.ts'
import { paths } from '#web/paths.ts'
import { ContactPage } from './contact-page.tsx'
import { CheckPage } from './draws/check-page.tsx'
import { DaysPage } from './draws/days-page.tsx'
import { FairnessPage } from './fairness/fairness-page.tsx'
import { FeaturesPage } from './features-page.tsx'
import { HelpPage } from './help-page.tsx'
import { HomePage } from './home-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import type { Page } from './page.ts'
import { PricingPage } from './pricing-page.tsx'
import { ProblemPage } from './problem-page.tsx'
import { ProsePage } from './prose-page.tsx'
import { RulesPage } from './rules/rules-page.tsx'
import { CardsPage } from './receipts/cards-page.tsx'
import { ReceiptPage } from './receipts/receipt-page.tsx'
import { StatusPage } from './status/status-page.tsx'
import { membership, organization, questionsAndAnswers } from './frame/structured.tsx'
import { pricingQuestions, questions } from './texts.ts'
import { UnsubscribePage } from './unsubscribe-page.tsx'

/** Every public page. */
export const pages: readonly Page[] = [
  {
    path: paths.home(),
    title: 'Evenhand: get your product bought, used and honestly reviewed',
    description:
      'A club where sellers of digital products exchange honest, verified-purchase reviews: one ' +
      'given, one received, drawn at random.',
    Content: HomePage,
    live: ['figures', 'marketplaces'],
    structured: (given) => [organization(given), ...membership(given), questionsAndAnswers(given, questions)],
  },
  {
    path: paths.features(),
    title: 'Features',
    description:
      'A random draw with published rules, verified purchases, a built-in disclosure, and a ' +
      'ledger that adds up.',
    Content: FeaturesPage,
  },
  {
    path: paths.pricing(),
    title: 'Pricing',
    description:
      'One flat membership for every seller. What you receive depends on what you give, nothing else.',
    Content: PricingPage,
    structured: (given) => [...membership(given), questionsAndAnswers(given, pricingQuestions)],
  },
  {
    path: paths.articles(),
    title: 'Articles',
    description:
      'How the exchange works, what members ask of each other, and what marketplaces may think of it.',
    Content: ArticlesPage,
    screenForMembers: true,
  },
  ...articles.map((article): Page => ({
    path: paths.article(article.slug),
    title: article.title,
    description: article.summary,
    Content: () => <ArticlePage article={article} />,
    screenForMembers: true,
    structured: ({ origin }) => [describeArticle(article, origin + paths.article(article.slug))],
  })),
  {
    path: paths.rules(),
    title: 'Rules',
    description: 'Every limit, deadline and weight of the exchange, from the settings the club runs on.',
    Content: RulesPage,
    live: ['marketplaces', 'figures'],
  },
  {
    path: paths.help(),
    title: 'Help',
    description: 'What to do when something goes wrong: signing in, offers, reviews, membership and privacy.',
    Content: HelpPage,
  },
  {
    path: paths.fairness(),
    title: 'Fairness',
    description:
      'The club’s own statistics: waiting times, deadlines, returns and removals by stars, appeals, the ' +
      'ledger, and how the draw works.',
    Content: FairnessPage,
    live: ['figures'],
  },
  {
    path: paths.drawCheck(),
    title: 'Check a draw',
    description:
      'Paste the receipt of a request or an offer: the draw is computed again in your browser, step by step.',
    Content: CheckPage,
    script: 'drawCheck',
  },
  {
    path: paths.drawDays(),
    title: 'The days of the draw',
    description:
      'The public list: the hash of each day’s secret, published before the day, and the secret after it.',
    Content: DaysPage,
    live: ['drawDays'],
  },
  {
    path: paths.status(),
    title: 'Status',
    description: 'Which parts of the club are working right now, and how they did over the last 90 days.',
    Content: StatusPage,
    live: ['status'],
  },
  {
    path: paths.contact(),
    title: 'Contact',
    description: 'Write to our staff with a question, a problem or a report, as a member or not.',
    Content: ContactPage,
  },
  {
    path: paths.privacy(),
    title: 'Privacy',
    description: privacyHead['lead'] ?? '',
    Content: (given) => <ProsePage head={privacyHead} text={Privacy} given={given} />,
  },
  {
    path: paths.terms(),
    title: 'Terms',
    description: termsHead['lead'] ?? '',
    Content: (given) => <ProsePage head={termsHead} text={Terms} given={given} />,
  },
  {
    path: paths.security(),
    title: 'Security',
    description: securityHead['lead'] ?? '',
    Content: () => <ProsePage head={securityHead} text={Security} />,
  },
  {
    path: paths.unsubscribe(),
    title: 'Emails',
    description: 'Stop emails of one kind.',
    hidden: true,
    Content: UnsubscribePage,
  },
]

export const notFoundPage: Page = {
  path: '/404',
  title: 'Page not found',
  description: 'There’s nothing at this address.',
  hidden: true,
  Content: NotFoundPage,
}

const problemPage: Page = {
  path: '/problem',
  title: 'That didn’t work',
  description: 'Something went wrong.',
  hidden: true,
  Content: ProblemPage,
}

const receiptPage: Page = {
  path: '/receipts',
  title: 'Receipt of a review',
  description: 'What a verified review has passed, without naming anyone.',
  hidden: true,
  Content: ReceiptPage,
}

const cardsPage: Page = {
  path: '/cards',
  title: 'Reviews',
  description: 'All reviews of a product that came through Evenhand, newest first.',
  hidden: true,
  Content: CardsPage,
}

/** Pages that the server renders for one answer. Their own addresses show nothing. */
export const pagesOfOne: readonly Page[] = [problemPage, receiptPage, cardsPage]

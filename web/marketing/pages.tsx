import Privacy, { frontmatter as privacyHead } from '#content/legal/privacy.md'
import Security, { frontmatter as securityHead } from '#content/legal/security.md'
import Terms, { frontmatter as termsHead } from '#content/legal/terms.md'
import { ArticlePage, describeArticle } from './articles/article-page.tsx'
import { ArticlesPage } from './articles/articles-page.tsx'
import { articles } from '#web/articles/texts.ts'
import { paths } from '#web/paths.ts'
import { ContactPage } from './contact-page.tsx'
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
import { StatusPage } from './status/status-page.tsx'
import { membership, organization, questionsAndAnswers } from './frame/structured.tsx'
import { pricingQuestions, questions } from './texts.ts'
import { UnsubscribePage } from './unsubscribe-page.tsx'

/** Every public page. */
export const pages: readonly Page[] = [
  {
    path: paths.home(),
    title: 'Evenhand: one honest review given, one received',
    description:
      'A membership club in which sellers of digital products exchange honest, verified-purchase reviews by a fair, random rotation.',
    Content: HomePage,
    live: 'figures',
    structured: (given) => [organization(given), membership(given), questionsAndAnswers(given, questions)],
  },
  {
    path: paths.features(),
    title: 'Features',
    description:
      'A random draw by published rules, verified purchases, a place to write with the disclosure built in, and a ledger that adds up.',
    Content: FeaturesPage,
  },
  {
    path: paths.pricing(),
    title: 'Pricing',
    description:
      'One flat membership for every seller. What you receive depends on what you give, never on what you pay. Cancel anytime.',
    Content: PricingPage,
    structured: (given) => [membership(given), questionsAndAnswers(given, pricingQuestions)],
  },
  {
    path: paths.articles(),
    title: 'Articles',
    description:
      'How the exchange works, what members ask of each other, and what a marketplace may think of it.',
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
    description:
      'Every limit, deadline and weight of the exchange, read from the settings that the club itself runs on.',
    Content: RulesPage,
    live: 'marketplaces',
  },
  {
    path: paths.help(),
    title: 'Help',
    description:
      'What to do when something does not go as it should: signing in, offers, reviews, membership and privacy.',
    Content: HelpPage,
  },
  {
    path: paths.fairness(),
    title: 'Fairness',
    description:
      'What the club measures of itself: waiting times, deadlines, returns by stars, the sum of its ledger, and how the draw works.',
    Content: FairnessPage,
    live: 'figures',
  },
  {
    path: paths.status(),
    title: 'Status',
    description: 'Whether every part of the club works right now, and how it worked over the last 90 days.',
    Content: StatusPage,
    live: 'status',
  },
  {
    path: paths.contact(),
    title: 'Contact',
    description: 'Write to our staff. A person reads every message and answers by email.',
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
  description: 'Nothing is at this address.',
  hidden: true,
  Content: NotFoundPage,
}

export const problemPage: Page = {
  path: '/problem',
  title: 'This did not work',
  description: 'Something went wrong.',
  hidden: true,
  Content: ProblemPage,
}

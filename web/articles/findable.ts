import { paths } from '#web/paths.ts'
import { outlineOf } from './outline.ts'
import { articles, topics } from './texts.ts'

/** A text that the search finds by its title, its summary and its headings. */
export type FindableText = { href: string; title: string; kind: string; also: string }

export const findableArticles: readonly FindableText[] = articles.map(
  ({ slug, title, summary, category, Text }) => ({
    href: paths.article(slug),
    title,
    kind: category,
    also: [summary, ...outlineOf(Text).headings.map((heading) => heading.title)].join(' '),
  }),
)

export const findableTopics: readonly FindableText[] = topics.map(
  ({ slug, title, summary, also, group }) => ({
    href: paths.helpTopic(slug),
    title,
    kind: group,
    also: `${summary} ${also}`,
  }),
)

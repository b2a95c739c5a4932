import { ArrowRight, ChevronDown, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ArticleBadge } from '#web/articles/article-card.tsx'
import { textParts } from '#web/articles/article-text.tsx'
import { outlineOf } from '#web/articles/outline.ts'
import { articleCategories, articles, topicGroups, topics } from '#web/articles/texts.ts'
import type { Article, Topic } from '#web/articles/texts.ts'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { PageBand, PageHead } from './frame/page-head.tsx'

/** All help topics and articles in one list. `help-search.ts` filters it. */
export function HelpPage() {
  return (
    <div data-help>
      <PageHead title="Help" lead="What to do when something goes wrong, and where to read more.">
        <search className="needs-script mt-8 max-w-xl">
          <form data-help-form action={paths.help()}>
            <label htmlFor="help-query" className="text-14 font-medium text-ink">
              Search help
            </label>
            <input
              id="help-query"
              type="search"
              name="q"
              autoComplete="off"
              placeholder="For example: coupon, proof, password"
              data-help-query
              className="control mt-1.5 h-12 px-4 text-16!"
            />
            <output data-help-count className="mt-2 block min-h-5 text-13 text-ink-2" />
          </form>
        </search>
      </PageHead>
      <PageBand className="pb-20 sm:pb-28">
        <div className="flex max-w-[52rem] flex-col gap-12">
          <div data-help-empty hidden className="rounded-12 border border-line bg-surface">
            <EmptyState
              icon={<SearchX />}
              title="No help topic matches"
              action={<LinkButton href={paths.contact()}>Ask our staff</LinkButton>}
            >
              Try a shorter or different word, or write to us.
            </EmptyState>
          </div>
          {topicGroups.map((group) => (
            <Group key={group} title={group}>
              {topics
                .filter((topic) => topic.group === group)
                .map((topic) => (
                  <TopicRow key={topic.slug} topic={topic} />
                ))}
            </Group>
          ))}
          {articleCategories.map((category) => (
            <Group key={category} title={groupTitles[category]}>
              {articles
                .filter((article) => article.category === category)
                .map((article) => (
                  <ArticleRow key={article.slug} article={article} />
                ))}
            </Group>
          ))}
          <p className="text-16 text-ink-2">
            Didn’t find it? <TextLink href={paths.contact()}>Write to us</TextLink>, check whether{' '}
            <TextLink href={paths.status()}>everything is working</TextLink>, or read{' '}
            <TextLink href={paths.rules()}>the rules</TextLink>.
          </p>
        </div>
      </PageBand>
    </div>
  )
}

const groupTitles = { 'How-To': 'Articles: how to', Policy: 'Articles: policy', FAQ: 'Articles: questions' }

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section data-help-group>
      <h2 className="text-18 font-semibold text-ink">{title}</h2>
      <ul className="mt-4 overflow-hidden rounded-12 border border-line bg-surface">{children}</ul>
    </section>
  )
}

// A line between the entries that are shown.
const row = 'border-line [li:not([hidden])~&]:border-t'
const rowHead = 'flex items-start justify-between gap-4 px-5 py-4 hover:bg-sunken'

/** A topic opens in place. */
function TopicRow({ topic: { slug, title, summary, also, Text } }: { topic: Topic }) {
  return (
    <li data-help-item data-help-text={also} className={row}>
      <details className="group">
        <summary className={`${rowHead} list-none rounded-12 [&::-webkit-details-marker]:hidden`}>
          <span className="min-w-0">
            <h3 className="text-16 font-medium text-ink">{title}</h3>
            <span className="mt-0.5 block text-14 text-pretty text-ink-2">{summary}</span>
          </span>
          <ChevronDown
            size={18}
            aria-hidden="true"
            className="mt-1 shrink-0 text-ink-3 transition-transform group-open:rotate-180"
          />
        </summary>
        {/* The id is inside `details`, so a link to it opens the topic. */}
        <div id={slug} className="prose scroll-mt-44 px-5 pt-1 pb-6">
          <Text components={textParts} />
        </div>
      </details>
    </li>
  )
}

/** An article has its own page. A search also shows its sections whose headings match. */
function ArticleRow({ article: { slug, title, summary, category, Text } }: { article: Article }) {
  const { headings, text } = outlineOf(Text)
  return (
    <li data-help-item data-help-text={text} className={row}>
      <a href={paths.article(slug)} className={`${rowHead} rounded-12`}>
        <span className="min-w-0">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="text-16 font-medium text-ink">{title}</h3>
            <ArticleBadge category={category} />
          </span>
          <span className="mt-0.5 block text-14 text-pretty text-ink-2">{summary}</span>
        </span>
        <ArrowRight size={18} aria-hidden="true" className="mt-1 shrink-0 text-ink-3" />
      </a>
      <ul data-help-sections hidden className="flex flex-wrap gap-x-5 gap-y-1 px-5 pb-4">
        {headings.map(({ id, title: section }) => (
          <li key={id} data-help-section>
            <TextLink href={`${paths.article(slug)}#${id}`} className="text-14">
              {section}
            </TextLink>
          </li>
        ))}
      </ul>
    </li>
  )
}

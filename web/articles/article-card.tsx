import { ArrowRight, CircleQuestionMark, Compass, Scale } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDay } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import type { BadgeTone } from '#web/kit/ui/badge.tsx'
import { Link } from '#web/kit/ui/link.tsx'
import { paths } from '#web/paths.ts'
import { readingMinutes } from './outline.ts'
import type { Article, ArticleCategory } from './texts.ts'

const looks: Record<ArticleCategory, { tone: BadgeTone; icon: ReactNode }> = {
  'How-To': { tone: 'accent', icon: <Compass aria-hidden="true" /> },
  Policy: { tone: 'info', icon: <Scale aria-hidden="true" /> },
  FAQ: { tone: 'neutral', icon: <CircleQuestionMark aria-hidden="true" /> },
}

/** The category of an article, as text and icon. */
export function ArticleBadge({ category }: { category: ArticleCategory }) {
  return <Badge {...looks[category]}>{category}</Badge>
}

/** When an article was last updated and how long it takes to read. */
export function ArticleFacts({ article }: { article: Article }) {
  return (
    <span className="tabular">
      Updated <time dateTime={article.updated}>{formatDay(article.updated)}</time> ·{' '}
      {readingMinutes(article.Text)} min read
    </span>
  )
}

/** Articles as cards, and a note that more will follow. */
export function ArticleList({ articles }: { articles: readonly Article[] }) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {articles.map((article) => (
        <li key={article.slug}>
          <ArticleCard article={article} />
        </li>
      ))}
      <li>
        <MoreArticles />
      </li>
    </ul>
  )
}

/** An article in a list. The whole card is a link. */
function ArticleCard({ article }: { article: Article }) {
  return (
    <div
      className={
        'group relative flex h-full flex-col rounded-12 border border-line bg-surface p-5 ' +
        'transition-colors hover:border-line-strong'
      }
    >
      <div className="flex items-center justify-between gap-3">
        <ArticleBadge category={article.category} />
        <ArrowRight
          size={16}
          aria-hidden="true"
          className="text-ink-3 transition-transform group-hover:translate-x-0.5 group-hover:text-accent-ink"
        />
      </div>
      <h2 className="mt-4 text-16 font-semibold text-ink">
        <Link
          href={paths.article(article.slug)}
          className="rounded-4 after:absolute after:inset-0 after:rounded-12"
        >
          {article.title}
        </Link>
      </h2>
      <p className="mt-1.5 flex-1 text-14 text-pretty text-ink-2">{article.summary}</p>
      <p className="mt-4 text-13 text-ink-3">
        <ArticleFacts article={article} />
      </p>
    </div>
  )
}

/** Says that more articles will follow. */
function MoreArticles() {
  return (
    <p
      className={
        'flex h-full min-h-24 items-center justify-center ' +
        'rounded-12 border border-dashed border-line-strong p-5 text-14 text-ink-2'
      }
    >
      More articles coming soon
    </p>
  )
}

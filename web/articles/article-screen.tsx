import { useLocation } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect } from 'react'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { paths } from '#web/paths.ts'
import { ArticleBadge, ArticleFacts } from './article-card.tsx'
import { ArticleText } from './article-text.tsx'
import { articles } from './texts.ts'
import type { Article } from './texts.ts'

/** One article, with the way back to all of them and on to the next. */
export function ArticleScreen({ article }: { article: Article }) {
  const next = articles[articles.indexOf(article) + 1]
  const section = useLocation({ select: ({ hash }) => hash })
  // The router looks for the section when the article is loaded. On the first page that is before it is known who is
  // signed in, and so before there is anything to look for.
  useEffect(() => {
    if (section) document.getElementById(section)?.scrollIntoView()
  }, [section, article])
  return (
    <Page>
      <div>
        <LinkButton href={paths.articles()} size="sm" icon={<ArrowLeft aria-hidden="true" />}>
          Back to Articles
        </LinkButton>
      </div>
      <PageHeader
        title={article.title}
        badge={<ArticleBadge category={article.category} />}
        help={article.summary}
      />
      <p className="-mt-3 border-b border-line pb-5 text-13 text-ink-3">
        <ArticleFacts article={article} />
      </p>
      <ArticleText text={article.Text} />
      {next ? (
        <div className="max-w-reading border-t border-line pt-6">
          <LinkButton href={paths.article(next.slug)} className="max-w-full">
            Next: {next.title}
          </LinkButton>
        </div>
      ) : null}
    </Page>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect } from 'react'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { meOptions } from '#web/members/me.ts'
import { paths } from '#web/paths.ts'
import { ArticleBadge, ArticleFacts } from './article-card.tsx'
import { ArticleText } from './article-text.tsx'
import { PaymentsContext } from './payments.tsx'
import { articles } from './texts.ts'
import type { Article } from './texts.ts'

/** One article, with links back to the list and on to the next. */
export function ArticleScreen({ article }: { article: Article }) {
  const { data: me } = useQuery(meOptions())
  const next = articles[articles.indexOf(article) + 1]
  const section = useLocation({ select: ({ hash }) => hash })
  // The router scrolls to a section once the article has loaded. On the first page that happens before the
  // session is known, when nothing is on screen yet.
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
      <PaymentsContext value={me?.payments ?? 'closed'}>
        <ArticleText text={article.Text} />
      </PaymentsContext>
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

import { ArrowLeft } from 'lucide-react'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { PageBand, PageHead } from '#web/marketing/frame/page-head.tsx'
import { paths } from '#web/paths.ts'
import { ArticleBadge, ArticleFacts } from '#web/articles/article-card.tsx'
import { ArticleText } from '#web/articles/article-text.tsx'
import type { Article } from '#web/articles/texts.ts'

/** The public page of an article. */
export function ArticlePage({ article }: { article: Article }) {
  return (
    <>
      <PageHead title={article.title} lead={article.summary}>
        <p className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-2 text-14 text-ink-3">
          <ArticleBadge category={article.category} />
          <ArticleFacts article={article} />
        </p>
      </PageHead>
      <PageBand className="pb-20 sm:pb-28">
        <ArticleText text={article.Text} />
        <div className="mt-14 max-w-reading border-t border-line pt-6">
          <LinkButton href={paths.articles()} icon={<ArrowLeft aria-hidden="true" />}>
            Back to Articles
          </LinkButton>
        </div>
      </PageBand>
    </>
  )
}

/** Structured data of an article for search engines. */
export function describeArticle(article: Article, address: string): object {
  return {
    '@type': 'Article',
    headline: article.title,
    description: article.summary,
    dateModified: article.updated,
    url: address,
    author: { '@type': 'Organization', name: 'Evenhand' },
    publisher: { '@type': 'Organization', name: 'Evenhand' },
  }
}

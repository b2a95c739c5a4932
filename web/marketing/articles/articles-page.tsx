import { PageBand, PageHead } from '#web/marketing/frame/page-head.tsx'
import { ArticleCard, MoreArticles } from '#web/articles/article-card.tsx'
import { articles } from '#web/articles/texts.ts'

/** The public list of articles. */
export function ArticlesPage() {
  return (
    <>
      <PageHead
        title="Articles"
        lead="How the exchange works, what we ask of each other, and what a marketplace may think of it."
      />
      <PageBand className="pb-20 sm:pb-28">
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {articles.map((article) => (
            <li key={article.slug}>
              <ArticleCard article={article} level={2} />
            </li>
          ))}
          <li>
            <MoreArticles />
          </li>
        </ul>
      </PageBand>
    </>
  )
}

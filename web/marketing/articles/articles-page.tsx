import { PageBand, PageHead } from '#web/marketing/frame/page-head.tsx'
import { ArticleList } from '#web/articles/article-card.tsx'
import { articles } from '#web/articles/texts.ts'

/** The public list of articles. */
export function ArticlesPage() {
  return (
    <>
      <PageHead
        title="Articles"
        lead="How the exchange works, what we ask of each other, and what marketplaces may think of it."
      />
      <PageBand className="pb-20 sm:pb-28">
        <ArticleList articles={articles} />
      </PageBand>
    </>
  )
}

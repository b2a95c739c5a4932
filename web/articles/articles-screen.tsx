import { Page } from '#web/kit/ui/page.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { ArticleList } from './article-card.tsx'
import { articleCategories, articles } from './texts.ts'
import type { ArticleCategory } from './texts.ts'

type ArticlesScreenProps = {
  /** Shows only articles of this category. */
  category?: ArticleCategory
  onSearch: (search: { category?: ArticleCategory }) => void
}

/** All articles, or those of one category. */
export function ArticlesScreen({ category, onSearch }: ArticlesScreenProps) {
  const shown = articles.filter((article) => !category || article.category === category)
  const kinds = articleCategories.map((kind) => ({
    value: kind,
    label: kind,
    count: articles.filter((article) => article.category === kind).length,
  }))
  return (
    <Page>
      <PageHeader title="Articles" help="How the exchange works, and what we ask of each other." />
      <Tabs
        label="Category"
        tabs={[{ value: 'all', label: 'All', count: articles.length }, ...kinds]}
        value={category ?? 'all'}
        onValueChange={(value) => onSearch(value === 'all' ? {} : { category: value })}
      >
        <ArticleList articles={shown} />
      </Tabs>
    </Page>
  )
}

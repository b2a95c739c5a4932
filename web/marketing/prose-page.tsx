import type { PageGiven } from '#contract/pages.ts'
import { date } from '#contract/format.ts'
import { ArticleText } from '#web/articles/article-text.tsx'
import type { Text } from '#web/articles/texts.ts'
import { Operator } from './operator.tsx'
import { PageBand, PageHead } from './frame/page-head.tsx'

type ProsePageProps = {
  head: Readonly<Record<string, string>>
  text: Text
  /** Given for legal texts, which name the operator. */
  given?: PageGiven
}

/** A page with one text, such as the terms. Its head has `title`, `lead` and `updated`. */
export function ProsePage({ head, text, given }: ProsePageProps) {
  const { title, lead, updated } = head
  return (
    <>
      <PageHead title={title} lead={lead}>
        {updated ? (
          <p className="mt-4 text-14 text-ink-3">
            Last changed <time dateTime={updated}>{date(updated)}</time>
          </p>
        ) : null}
        {given ? <Operator {...given} /> : null}
      </PageHead>
      <PageBand className="pb-20 sm:pb-28">
        <ArticleText text={text} />
      </PageBand>
    </>
  )
}

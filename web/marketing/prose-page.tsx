import type { ComponentType } from 'react'
import type { MDXComponents } from 'mdx/types'
import { PageBand, PageHead } from './page-head.tsx'

type Text = ComponentType<{ components?: MDXComponents }>

/** A page that is one text, such as the terms. Its head says `title`, `lead` and when it was last `updated`. */
export function ProsePage({ head, text: Text }: { head: Readonly<Record<string, string>>; text: Text }) {
  return (
    <>
      <PageHead title={head['title']} lead={head['lead']}>
        {head['updated'] ? <p className="mt-4 text-14 text-ink-3">Last changed {head['updated']}</p> : null}
      </PageHead>
      <PageBand className="pb-20 sm:pb-28">
        <div className="prose">
          <Text />
        </div>
      </PageBand>
    </>
  )
}

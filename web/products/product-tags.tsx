import { Badge } from '#web/kit/ui/badge.tsx'
import { cx } from '#web/kit/ui/cx.ts'

type ProductTagsProps = {
  tags: readonly string[]
  /** Shows this many, then '+N'. */
  limit?: number
  /** Makes each tag a button. */
  onTag?: (tag: string) => void
  className?: string
}

/** The tags of a product; nothing without any. */
export function ProductTags({ tags, limit = tags.length, onTag, className }: ProductTagsProps) {
  if (tags.length === 0) return null
  const more = tags.length - limit
  return (
    <ul aria-label="Tags" className={cx('flex min-w-0 flex-wrap gap-1.5', className)}>
      {tags.slice(0, limit).map((tag) => (
        <li key={tag} className="flex max-w-full min-w-0">
          {onTag ? (
            <button
              type="button"
              aria-label={`Show products tagged ${tag}`}
              onClick={() => onTag(tag)}
              className="flex min-h-6 max-w-full min-w-0 rounded-full hover:underline"
            >
              <Badge>{tag}</Badge>
            </button>
          ) : (
            <Badge>{tag}</Badge>
          )}
        </li>
      ))}
      {more > 0 ? (
        <li>
          <Badge>
            <span aria-hidden="true">+{more}</span>
            <span className="sr-only">{more} more</span>
          </Badge>
        </li>
      ) : null}
    </ul>
  )
}

/** How many tags a card shows. */
export const cardTags = 3

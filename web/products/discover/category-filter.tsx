import { categories, categoryNames } from '#contract/products.ts'
import type { Category } from '#contract/products.ts'
import { CategoryIcon } from '#web/kit/ui/category-badge.tsx'
import { cx } from '#web/kit/ui/cx.ts'

type CategoryFilterProps = {
  value: Category | undefined
  onValueChange: (category: Category | undefined) => void
}

/** Chooses one category, or all. */
export function CategoryFilter({ value, onValueChange }: CategoryFilterProps) {
  return (
    <fieldset
      aria-label="Category"
      className={
        'min-w-0 -mx-4 flex gap-2 overflow-x-auto px-4 py-1 ' +
        '[scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0'
      }
    >
      {[undefined, ...categories].map((category) => (
        <button
          key={category ?? 'all'}
          type="button"
          aria-pressed={value === category}
          onClick={() => onValueChange(category)}
          className={cx(
            'inline-flex h-8 shrink-0 items-center gap-1.5 rounded-full border px-3 ' +
              'text-13 font-medium whitespace-nowrap transition-colors pointer-coarse:h-10',
            value === category
              ? 'border-accent bg-accent-soft text-accent-ink'
              : 'border-line-strong bg-surface text-ink-2 hover:text-ink',
          )}
        >
          {category ? <CategoryIcon category={category} size={14} /> : null}
          {category ? categoryNames[category] : 'All'}
        </button>
      ))}
    </fieldset>
  )
}

/** The category of an address; undefined for all, and for an unknown name. */
export function readCategory(name: string | undefined): Category | undefined {
  return categories.find((category) => category === name)
}

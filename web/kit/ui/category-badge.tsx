import { BookOpen, GraduationCap, LayoutTemplate, Music, Palette, Shapes, Video, Wrench } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { categoryNames } from '#contract/products.ts'
import type { Category } from '#contract/products.ts'
import { cx } from './cx.ts'

/**
 * A product's category with its icon and color, so that either identifies it. Unknown names count as `other`.
 */
export function CategoryBadge({ category, className }: { category: string | null; className?: string }) {
  const known = categoryOf(category)
  const { icon: Icon, look } = categoryLooks[known]
  return (
    <span
      className={cx(
        'inline-flex h-5.5 max-w-full items-center gap-1 ' +
          'rounded-full border px-2 text-12 font-medium whitespace-nowrap',
        look,
        className,
      )}
    >
      <Icon size={12} aria-hidden="true" className="shrink-0" />
      <span className="truncate">{categoryNames[known]}</span>
    </span>
  )
}

/** The icon of a category, for lists and menus. */
export function CategoryIcon({ category, size = 16 }: { category: string | null; size?: number }) {
  const { icon: Icon } = categoryLooks[categoryOf(category)]
  return <Icon size={size} aria-hidden="true" />
}

/** The category of a name; `other` for a missing or unknown name. */
export function categoryOf(name: string | null | undefined): Category {
  // The keys of `categoryLooks` are the categories.
  return name != null && Object.hasOwn(categoryLooks, name) ? (name as Category) : 'other'
}

const categoryLooks: Record<Category, { icon: LucideIcon; look: string; ink: string }> = {
  template: {
    icon: LayoutTemplate,
    look: 'border-template-line bg-template-soft text-template-ink',
    ink: 'text-template-ink',
  },
  tool: { icon: Wrench, look: 'border-tool-line bg-tool-soft text-tool-ink', ink: 'text-tool-ink' },
  design: {
    icon: Palette,
    look: 'border-design-line bg-design-soft text-design-ink',
    ink: 'text-design-ink',
  },
  guide: { icon: BookOpen, look: 'border-guide-line bg-guide-soft text-guide-ink', ink: 'text-guide-ink' },
  course: {
    icon: GraduationCap,
    look: 'border-course-line bg-course-soft text-course-ink',
    ink: 'text-course-ink',
  },
  audio: { icon: Music, look: 'border-audio-line bg-audio-soft text-audio-ink', ink: 'text-audio-ink' },
  video: { icon: Video, look: 'border-video-line bg-video-soft text-video-ink', ink: 'text-video-ink' },
  other: { icon: Shapes, look: 'border-other-line bg-other-soft text-other-ink', ink: 'text-other-ink' },
}

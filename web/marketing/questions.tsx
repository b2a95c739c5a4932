import { Plus } from 'lucide-react'
import { cx } from '#web/kit/ui/cx.ts'
import type { TextSection } from './text-sections.ts'

/** Questions that open without a script, several at once. */
export function Questions({ questions }: { questions: readonly TextSection[] }) {
  return (
    <div className="border-t border-line">
      {questions.map(({ id, title, body }) => (
        <details key={id} id={id} className="group border-b border-line">
          <summary
            className={cx(
              'flex list-none items-start justify-between gap-6 py-4.5',
              '[&::-webkit-details-marker]:hidden',
            )}
          >
            <h3 className="text-16 font-medium text-ink">{title}</h3>
            <Plus
              size={18}
              aria-hidden="true"
              className={cx(
                'mt-0.75 shrink-0 text-ink-3 transition-transform',
                'duration-(--calm) group-open:rotate-45',
              )}
            />
          </summary>
          <div className="prose pb-6 sm:pr-10">{body}</div>
        </details>
      ))}
    </div>
  )
}

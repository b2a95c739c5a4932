import type { ReactNode } from 'react'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'

type SettingsSectionProps = { title: string; help: string; children: ReactNode }

/** One section of the settings. Its title gets the focus after navigation. */
export function SettingsSection({ title, help, children }: SettingsSectionProps) {
  return (
    <section aria-labelledby="page-title" className="flex flex-col gap-5">
      <div>
        <h2 id="page-title" tabIndex={-1} className="text-18 font-semibold text-ink">
          {title}
        </h2>
        <p className="mt-0.5 text-14 text-pretty text-ink-2">{help}</p>
      </div>
      {children}
    </section>
  )
}

type CardStateProps = { title: string; help?: string; children?: ReactNode }

/** A card whose content is loading. Pass skeletons if the content is not two lines and a button. */
export function LoadingCard({ title, help, children }: CardStateProps) {
  return (
    <Card level={3} title={title} help={help}>
      <Loading label={`Loading ${title.toLowerCase()}`} className="flex flex-col gap-3">
        {children ?? (
          <>
            <Skeleton className="h-4 w-56 max-w-full" />
            <Skeleton className="h-9 w-36 rounded-8" />
          </>
        )}
      </Loading>
    </Card>
  )
}

type FailedCardProps = {
  title: string
  what: string
  onRetry: () => void
  retrying: boolean
  error: unknown
}

/** A card whose content could not be loaded. */
export function FailedCard({ title, what, onRetry, retrying, error }: FailedCardProps) {
  return (
    <Card level={3} title={title}>
      <ErrorState
        level={3}
        title={what}
        onRetry={onRetry}
        retrying={retrying}
        error={error}
        className="py-4!"
      />
    </Card>
  )
}

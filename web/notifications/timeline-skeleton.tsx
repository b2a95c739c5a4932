import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'

/** A placeholder while a timeline loads. */
export function TimelineSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label} className="divide-y divide-line">
      {Array.from({ length: 5 }, (_, row) => (
        <div key={row} className="flex items-start gap-3.5 px-5 py-4">
          <Skeleton className="size-8 shrink-0 rounded-full" />
          <div className="flex min-w-0 flex-1 flex-col gap-1.5">
            <Skeleton className="h-5 w-48 max-w-full" />
            <Skeleton className="h-5 w-80 max-w-full" />
            <Skeleton className="h-4 w-36" />
          </div>
        </div>
      ))}
    </Loading>
  )
}

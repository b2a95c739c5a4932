import { Badge } from './badge.tsx'

/** Marks a page as one of a demo club. On every page. */
export function DemoMark({ className }: { className?: string }) {
  return (
    <Badge tone="accent" className={className}>
      Demo club
    </Badge>
  )
}

import { cx } from './cx.ts'

/** The logo's mark: two equal strokes, one offset from the other. Decoration beside the name. */
export function Mark({ size = 24, className }: { size?: number; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      aria-hidden="true"
      className={cx('shrink-0 forced-color-adjust-none', className)}
    >
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M12.5 12h11M8.5 20h11" stroke="var(--on-accent)" strokeWidth="4" strokeLinecap="round" />
    </svg>
  )
}

/** The mark and the name. */
export function Logo({ size = 'md', className }: { size?: 'md' | 'lg'; className?: string }) {
  return (
    <span className={cx('inline-flex items-center', size === 'lg' ? 'gap-3' : 'gap-2.5', className)}>
      <Mark size={size === 'lg' ? 32 : 24} />
      <span
        className={cx('font-semibold tracking-[-0.015em] text-ink', size === 'lg' ? 'text-22' : 'text-16')}
      >
        Evenhand
      </span>
    </span>
  )
}

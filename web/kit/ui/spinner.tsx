import { cx } from './cx.ts'

/**
 * A spinning ring in the color of the surrounding text. With a `label` it is announced; without one it is
 * decoration beside a text.
 */
export function Spinner({
  size = 16,
  label,
  className,
}: {
  size?: number
  label?: string
  className?: string
}) {
  return (
    <span role={label ? 'status' : undefined} className={cx('inline-flex shrink-0', className)}>
      <svg
        width={size}
        height={size}
        viewBox="0 0 16 16"
        fill="none"
        aria-hidden="true"
        className="animate-spin"
      >
        <circle cx="8" cy="8" r="6.5" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
        <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      {label ? <span className="sr-only">{label}</span> : null}
    </span>
  )
}

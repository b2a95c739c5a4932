import { useId } from 'react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'
import { Tooltip } from './tooltip.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

export type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Decoration before or after the label. */
  icon?: ReactNode
  trailingIcon?: ReactNode
  /** Shows a spinner in place of the icon and ignores presses. */
  busy?: boolean
  /** The label while busy, for example 'Sending...'. */
  busyLabel?: ReactNode
  /** Why the button is disabled. It stays focusable and shows the reason on hover, focus and press. */
  disabledReason?: string | false | null
  /** Disabled without a reason, for the few places where the reason is obvious (an empty field above it). */
  disabled?: boolean
  wide?: boolean
}

/**
 * A button. A disabled one with a reason stays in the tab order, so that screen readers can read the reason.
 */
export function Button({
  variant = 'secondary',
  size = 'md',
  icon,
  trailingIcon,
  busy = false,
  busyLabel,
  disabledReason,
  disabled = false,
  wide = false,
  className,
  children,
  onClick,
  type = 'button',
  ...props
}: ButtonProps) {
  const reasonId = useId()
  const reason = busy ? null : disabledReason || null
  const blocked = busy || disabled || reason !== null

  // The press is ignored here, since the `disabled` attribute would remove the button from the tab order.
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (!blocked) return onClick?.(event)
    event.preventDefault()
  }

  const button = (
    <button
      {...props}
      type={type}
      onClick={press}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      aria-describedby={cx(props['aria-describedby'], reason && reasonId) || undefined}
      className={cx(buttonLook(variant, size), wide && 'w-full', className)}
    >
      {busy ? <Spinner size={size === 'sm' ? 14 : 16} /> : icon}
      <span className="min-w-0 truncate">{busy && busyLabel ? busyLabel : children}</span>
      {trailingIcon}
    </button>
  )
  if (!reason) return button
  return (
    <>
      <Tooltip content={reason} delay={150} repeatsName onPress>
        {button}
      </Tooltip>
      <span id={reasonId} hidden>
        {reason}
      </span>
    </>
  )
}

/** The classes of a button, also for links that look like one. */
export function buttonLook(variant: ButtonVariant, size: ButtonSize): string {
  return cx(
    'inline-flex shrink-0 items-center justify-center border font-medium whitespace-nowrap select-none',
    'transition-colors [&_svg]:shrink-0',
    'aria-disabled:cursor-default ' +
      'forced-colors:aria-disabled:border-[GrayText] forced-colors:aria-disabled:text-[GrayText]',
    sizes[size],
    variants[variant],
  )
}

const sizes: Record<ButtonSize, string> = {
  sm: 'h-8 gap-1.5 rounded-6 px-2.5 text-13 [&_svg]:size-3.5',
  md: 'h-9 gap-2 rounded-8 px-3.5 text-14 [&_svg]:size-4 pointer-coarse:h-10',
  lg: 'h-11 gap-2 rounded-8 px-5 text-16 [&_svg]:size-4.5',
}

const off =
  'aria-disabled:not-aria-busy:border-transparent ' +
  'aria-disabled:not-aria-busy:bg-pressed aria-disabled:not-aria-busy:text-ink-2'

const variants: Record<ButtonVariant, string> = {
  primary: cx(
    'border-transparent bg-accent text-on-accent shadow-press',
    'not-aria-disabled:hover:bg-accent-hover not-aria-disabled:active:bg-accent-pressed',
    off,
  ),
  secondary: cx(
    'border-line-strong bg-surface text-ink',
    'not-aria-disabled:hover:border-ink-3 not-aria-disabled:hover:bg-sunken ' +
      'not-aria-disabled:active:bg-pressed',
    off,
  ),
  ghost: cx(
    'border-transparent text-ink-2',
    'not-aria-disabled:hover:bg-sunken not-aria-disabled:hover:text-ink not-aria-disabled:active:bg-pressed',
    'aria-disabled:not-aria-busy:text-ink-3',
  ),
  danger: cx(
    'border-transparent bg-danger text-on-danger shadow-press',
    'not-aria-disabled:hover:bg-danger-hover not-aria-disabled:active:bg-danger-hover',
    off,
  ),
}

import type { ComponentProps, ReactNode } from 'react'
import { buttonLook } from './button.tsx'
import type { ButtonSize, ButtonVariant } from './button.tsx'
import { cx } from './cx.ts'
import { Link } from './link.tsx'

type LinkButtonProps = ComponentProps<'a'> & {
  href: string
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
  trailingIcon?: ReactNode
  external?: boolean
  wide?: boolean
}

/** A link that looks like a button. Use it for navigation, not for actions. */
export function LinkButton({
  variant = 'secondary',
  size = 'md',
  icon,
  trailingIcon,
  wide = false,
  className,
  children,
  ...props
}: LinkButtonProps) {
  return (
    <Link {...props} className={cx(buttonLook(variant, size), wide && 'w-full', className)}>
      {icon}
      <span className="min-w-0 truncate">{children}</span>
      {trailingIcon}
    </Link>
  )
}

/** A link inside a sentence. */
export function TextLink({
  className,
  ...props
}: ComponentProps<'a'> & { href: string; external?: boolean }) {
  return (
    <Link
      {...props}
      className={cx(
        'rounded-4 font-medium text-accent-ink underline decoration-accent-line underline-offset-3 ' +
          'hover:decoration-current',
        className,
      )}
    />
  )
}

import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import type { ButtonProps } from './button.tsx'
import { cx } from './cx.ts'
import { Tooltip } from './tooltip.tsx'

type IconButtonProps = Omit<ButtonProps, 'children' | 'icon' | 'trailingIcon' | 'wide' | 'busyLabel'> & {
  /** Its accessible name, also shown as a tooltip. */
  label: string
  icon: ReactNode
  /** Omits the tooltip, where the same text is beside the button. */
  quiet?: boolean
}

/** A square button with only an icon. Its label is its accessible name and its tooltip. */
export function IconButton({
  label,
  icon,
  quiet = false,
  variant = 'ghost',
  size = 'md',
  className,
  ...props
}: IconButtonProps) {
  const button = (
    <Button
      {...props}
      variant={variant}
      size={size}
      aria-label={label}
      className={cx(squares[size], className)}
    >
      {props.busy ? null : <span className="flex">{icon}</span>}
    </Button>
  )
  return quiet || props.disabledReason ? (
    button
  ) : (
    <Tooltip content={label} repeatsName>
      {button}
    </Tooltip>
  )
}

const squares = {
  sm: 'w-8 px-0! [&>span:empty]:hidden',
  md: 'w-9 px-0! pointer-coarse:w-10 [&>span:empty]:hidden',
  lg: 'w-11 px-0! [&>span:empty]:hidden',
}

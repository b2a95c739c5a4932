import { Field as BaseField } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { useControl, useField } from '../form-context.ts'
import { cx } from './cx.ts'
import { useLengthLimit } from './use-length-limit.ts'

export type InputProps = Omit<
  ComponentProps<'input'>,
  'value' | 'defaultValue' | 'onChange' | 'onPaste' | 'size'
> & {
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
  /** Inside the box on the left: an icon or a prefix like '$'. */
  leading?: ReactNode
  /** Inside the box on the right: a unit, a status mark or a small button. */
  trailing?: ReactNode
}

/** One line of text. In a named `Field` of a form it uses that value; elsewhere pass `value` or nothing. */
export function Input({
  value,
  defaultValue,
  onValueChange,
  leading,
  trailing,
  className,
  ...props
}: InputProps) {
  const field = useField()
  const [text, setText] = useControl({ value, defaultValue, onValueChange }, '')
  const limit = useLengthLimit(text, props.maxLength)
  const input = (
    <BaseField.Control
      // Browsers and password managers recognize a field by its name.
      name={field?.name}
      {...props}
      value={text}
      onValueChange={(next) => {
        limit.change()
        setText(next)
      }}
      onPaste={limit.paste}
      className={cx(
        'control h-9 px-3 pointer-coarse:h-10',
        leading && 'pl-9',
        trailing && 'pr-10',
        className,
      )}
    />
  )
  if (!leading && !trailing) return input
  return (
    <div className="relative">
      {leading ? (
        <span
          className={cx(
            'pointer-events-none absolute inset-y-0 left-0 flex w-9 items-center justify-center',
            'text-ink-3 [&_svg]:size-4',
          )}
        >
          {leading}
        </span>
      ) : null}
      {input}
      {trailing ? <span className="absolute inset-y-0 right-1 flex items-center">{trailing}</span> : null}
    </div>
  )
}

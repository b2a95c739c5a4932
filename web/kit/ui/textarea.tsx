import { Field as BaseField } from '@base-ui/react/field'
import type { ComponentProps } from 'react'
import { useControl } from '../form-context.ts'
import { cx } from './cx.ts'

type TextareaProps = Omit<ComponentProps<'textarea'>, 'value' | 'defaultValue' | 'onChange'> & {
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
}

/** Several lines of text. Grows with its text, in browsers that support it. */
export function Textarea({
  value,
  defaultValue,
  onValueChange,
  rows = 4,
  className,
  ...props
}: TextareaProps) {
  const [text, setText] = useControl({ value, defaultValue, onValueChange }, '')
  return (
    <BaseField.Control
      value={text}
      onValueChange={setText}
      render={<textarea {...props} rows={rows} />}
      className={cx('control field-sizing-content max-h-96 min-h-20 resize-y px-3 py-2', className)}
    />
  )
}

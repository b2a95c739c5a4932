import { Field as BaseField } from '@base-ui/react/field'
import type { ComponentProps } from 'react'
import { useControl } from '../form-context.ts'
import { cx } from './cx.ts'
import { useLengthLimit } from './use-length-limit.ts'

type TextareaProps = Omit<ComponentProps<'textarea'>, 'value' | 'defaultValue' | 'onChange' | 'onPaste'> & {
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
  const limit = useLengthLimit(text, props.maxLength)
  return (
    <BaseField.Control
      value={text}
      onValueChange={(next) => {
        limit.change()
        setText(next)
      }}
      render={<textarea {...props} rows={rows} onPaste={limit.paste} />}
      className={cx('control field-sizing-content max-h-96 min-h-20 resize-y px-3 py-2', className)}
    />
  )
}

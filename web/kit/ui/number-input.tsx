import { NumberField } from '@base-ui/react/number-field'
import { Minus, Plus } from 'lucide-react'
import { useControl } from '../form-context.ts'
import { cx } from './cx.ts'

type NumberInputProps = {
  value?: number | null
  defaultValue?: number | null
  onValueChange?: (value: number | null) => void
  min?: number
  max?: number
  step?: number
  /** Shows buttons to decrease and increase the number. */
  steppers?: boolean
  /** Its accessible name, if no `Field` gives it one. */
  label?: string
  placeholder?: string
  disabled?: boolean
}

/** A number; null when empty. Arrow keys change it. */
export function NumberInput({
  value,
  defaultValue,
  onValueChange,
  min,
  max,
  step = 1,
  steppers = true,
  label,
  placeholder,
  disabled,
}: NumberInputProps) {
  const [number, setNumber] = useControl<number | null>({ value, defaultValue, onValueChange }, null)
  const button =
    'flex h-full w-9 items-center justify-center text-ink-2 hover:bg-sunken hover:text-ink ' +
    'data-disabled:text-ink-3'
  return (
    <NumberField.Root
      value={number}
      onValueChange={setNumber}
      min={min}
      max={max}
      step={step}
      format={{ maximumFractionDigits: Number.isInteger(step) ? 0 : 20 }}
      disabled={disabled}
      locale="en-US"
    >
      <NumberField.Group className="control flex h-9 items-stretch overflow-hidden pointer-coarse:h-10">
        {steppers ? (
          <NumberField.Decrement aria-label="One less" className={cx(button, 'border-r border-line')}>
            <Minus size={14} aria-hidden="true" />
          </NumberField.Decrement>
        ) : null}
        <NumberField.Input
          aria-label={label}
          placeholder={placeholder}
          className="tabular w-full min-w-0 bg-transparent px-3 outline-none placeholder:text-ink-3"
        />
        {steppers ? (
          <NumberField.Increment aria-label="One more" className={cx(button, 'border-l border-line')}>
            <Plus size={14} aria-hidden="true" />
          </NumberField.Increment>
        ) : null}
      </NumberField.Group>
    </NumberField.Root>
  )
}

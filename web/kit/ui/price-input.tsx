import { useState } from 'react'
import { useControl } from '../form-context.ts'
import { readPrice, writePrice } from '../price-text.ts'
import { Input } from './input.tsx'

type PriceInputProps = {
  /** Whole cents; NaN for a text that is no price. */
  value?: number | null
  defaultValue?: number | null
  onValueChange?: (cents: number | null) => void
  label?: string
  placeholder?: string
  disabled?: boolean
}

/**
 * A price in US dollars, typed with cents and stored as whole cents; null when empty. Cents may follow a
 * point or a comma. A text that is no price stays as typed, and its value is NaN, which a schema refuses.
 */
export function PriceInput({
  value,
  defaultValue,
  onValueChange,
  label,
  placeholder = '0.00',
  disabled,
}: PriceInputProps) {
  const [cents, setCents] = useControl<number | null>({ value, defaultValue, onValueChange }, null)
  const [typed, setTyped] = useState<string | null>(null)
  const isTyping = typed !== null && Object.is(readPrice(typed), cents)
  return (
    <Input
      inputMode="decimal"
      autoComplete="off"
      leading="$"
      aria-label={label}
      aria-roledescription="Price in dollars"
      placeholder={placeholder}
      disabled={disabled}
      className="tabular"
      value={isTyping ? typed : writePrice(cents)}
      onValueChange={(text) => {
        setTyped(text)
        setCents(readPrice(text))
      }}
      onBlur={() => setTyped(Number.isNaN(cents) ? typed : null)}
    />
  )
}

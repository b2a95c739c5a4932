import { Radio } from '@base-ui/react/radio'
import { RadioGroup as BaseRadioGroup } from '@base-ui/react/radio-group'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { useControl, useField } from '../form-context.ts'
import { cx } from './cx.ts'

type RadioOption<T extends string = string> = { value: T; label: ReactNode; help?: ReactNode }

type RadioGroupProps<T extends string> = {
  options: readonly RadioOption<T>[]
  value?: T | null
  defaultValue?: T | null
  onValueChange?: (value: T) => void
  /** Its accessible name, if no `Field` gives it one. */
  label?: string
  /** `list` shows plain rows; `cards` shows each choice in a box, for choices with a help text. */
  look?: 'list' | 'cards'
  disabled?: boolean
  className?: string
}

/** One of a few choices, all visible. Arrow keys change the choice. */
export function RadioGroup<T extends string>({
  options,
  value,
  defaultValue,
  onValueChange,
  label,
  look = 'list',
  disabled = false,
  className,
}: RadioGroupProps<T>) {
  const field = useField()
  const [chosen, setChosen] = useControl<T | null>(
    { value, defaultValue, onValueChange: (next) => next !== null && onValueChange?.(next) },
    null,
  )
  return (
    <BaseRadioGroup
      value={chosen}
      // Base UI returns one of the values passed to it below.
      onValueChange={(next) => setChosen(next as T)}
      disabled={disabled}
      aria-label={label}
      aria-labelledby={label ? undefined : field?.labelId}
      aria-describedby={field?.describedBy}
      className={cx('flex flex-col', look === 'cards' ? 'gap-2' : 'gap-1', className)}
    >
      {options.map((option) => (
        <Choice key={option.value} option={option} look={look} disabled={disabled} />
      ))}
    </BaseRadioGroup>
  )
}

function Choice({
  option,
  look,
  disabled,
}: {
  option: RadioOption
  look: 'list' | 'cards'
  disabled: boolean
}) {
  const id = useId()
  return (
    <label
      className={cx(
        'group flex items-start gap-2.5 text-14',
        !disabled && 'cursor-pointer',
        look === 'cards' &&
          'rounded-8 border border-line-strong px-3 py-2.5 transition-colors hover:border-ink-3 ' +
            'has-data-checked:border-accent has-data-checked:bg-accent-soft',
        look === 'list' && 'w-fit py-1',
      )}
    >
      <Radio.Root
        value={option.value}
        aria-labelledby={id}
        aria-describedby={option.help ? `${id}-help` : undefined}
        className={
          'relative mt-px flex size-4.5 shrink-0 items-center justify-center ' +
          'rounded-full border border-line-strong bg-surface transition-colors ' +
          'after:absolute after:-inset-1 not-data-disabled:group-hover:border-ink-3 ' +
          'data-checked:border-accent data-checked:bg-accent data-disabled:bg-pressed'
        }
      >
        <Radio.Indicator className="size-2 rounded-full bg-on-accent forced-colors:bg-[Highlight]" />
      </Radio.Root>
      <span className="min-w-0">
        <span id={id} className={disabled ? 'text-ink-3' : 'text-ink'}>
          {option.label}
        </span>
        {option.help ? (
          <span id={`${id}-help`} className="block text-12 text-ink-2 text-pretty">
            {option.help}
          </span>
        ) : null}
      </span>
    </label>
  )
}

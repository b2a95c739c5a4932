import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { Check, Minus } from 'lucide-react'
import { useContext, useId } from 'react'
import type { ReactNode } from 'react'
import { FieldContext, FormContext, useControl } from '../form-context.ts'
import { cx } from './cx.ts'

type CheckboxProps = {
  label: ReactNode
  /** The name of its value in the form. A checkbox is its own field, with its label beside it. */
  name?: string
  help?: ReactNode
  error?: ReactNode
  checked?: boolean
  defaultChecked?: boolean
  onCheckedChange?: (checked: boolean) => void
  indeterminate?: boolean
  disabled?: boolean
  hideLabel?: boolean
}

/** A choice of yes or no that takes effect on submit. Use `Switch` for one that takes effect at once. */
export function Checkbox({ name, ...props }: CheckboxProps) {
  const form = useContext(FormContext)
  const id = useId()
  const error = props.error ?? (name === undefined ? undefined : form?.errors[name])
  const field = {
    name,
    controlId: `${id}-control`,
    labelId: `${id}-label`,
    describedBy: cx(props.help != null && `${id}-help`, Boolean(error) && `${id}-error`) || undefined,
    invalid: Boolean(error),
  }
  return (
    <FieldContext value={field}>
      <Box {...props} error={error} />
    </FieldContext>
  )
}

function Box({
  label,
  help,
  error,
  checked,
  defaultChecked,
  onCheckedChange,
  indeterminate = false,
  disabled = false,
  hideLabel = false,
}: Omit<CheckboxProps, 'name'>) {
  const field = useContext(FieldContext)
  const [ticked, setTicked] = useControl(
    { value: checked, defaultValue: defaultChecked, onValueChange: onCheckedChange },
    false,
  )
  if (!field) return null
  return (
    <div data-field={field.name} data-field-invalid={field.invalid || undefined} className="flex flex-col">
      <label
        className={cx('group inline-flex w-fit items-start gap-2.5 py-0.5', !disabled && 'cursor-pointer')}
      >
        <BaseCheckbox.Root
          checked={ticked}
          onCheckedChange={setTicked}
          indeterminate={indeterminate}
          disabled={disabled}
          aria-labelledby={field.labelId}
          aria-describedby={field.describedBy}
          aria-invalid={field.invalid || undefined}
          className={cx(
            'relative mt-px flex size-4.5 shrink-0 items-center justify-center ' +
              'rounded-4 border border-line-strong bg-surface transition-colors',
            'after:absolute after:-inset-1 data-checked:border-accent data-checked:bg-accent ' +
              'data-indeterminate:border-accent data-indeterminate:bg-accent',
            'not-data-checked:not-data-disabled:group-hover:border-ink-3 ' +
              'data-disabled:bg-pressed data-disabled:border-line-strong',
            field.invalid && 'border-danger',
          )}
        >
          <BaseCheckbox.Indicator className="flex text-on-accent in-data-disabled:text-ink-2">
            {indeterminate ? (
              <Minus size={13} strokeWidth={3} aria-hidden="true" />
            ) : (
              <Check size={13} strokeWidth={3} aria-hidden="true" />
            )}
          </BaseCheckbox.Indicator>
        </BaseCheckbox.Root>
        <span
          id={field.labelId}
          className={cx('text-14 text-pretty', disabled ? 'text-ink-3' : 'text-ink', hideLabel && 'sr-only')}
        >
          {label}
        </span>
      </label>
      {help == null ? null : (
        <p
          id={`${field.labelId.replace(/-label$/, '')}-help`}
          className="ml-7 text-12 text-ink-3 text-pretty"
        >
          {help}
        </p>
      )}
      {error ? (
        <p
          id={`${field.labelId.replace(/-label$/, '')}-error`}
          role="alert"
          className="mt-1 ml-7 text-12 font-medium text-danger-ink"
        >
          {error}
        </p>
      ) : null}
    </div>
  )
}

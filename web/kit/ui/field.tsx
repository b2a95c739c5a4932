import { Field as BaseField } from '@base-ui/react/field'
import { useContext, useId, useState } from 'react'
import type { ReactNode } from 'react'
import { FieldContext, FormContext } from '../form-context.ts'
import { cx } from './cx.ts'

type FieldProps = {
  label: ReactNode
  /** The name of the control's value in the form. */
  name?: string
  help?: ReactNode
  /** Shown below the control and announced. In a form, the form's error for `name` is shown automatically. */
  error?: ReactNode
  /** A status in place of the error while there is none, for example 'Looks great!'. Announced too. */
  status?: ReactNode
  /** Marks a field that may be empty. */
  optional?: boolean
  /** Keeps the label for screen readers only, where the context is clear (a search box, a table cell). */
  hideLabel?: boolean
  /** Reserves no line for an error, for toolbars and filters. */
  noErrorLine?: boolean
  /** To the right of the label, for example a link or a count. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/**
 * A control with its label above, its help below and a reserved line for its error, so that nothing moves.
 */
export function Field({
  label,
  name,
  help,
  error,
  status,
  optional = false,
  hideLabel = false,
  noErrorLine = false,
  aside,
  className,
  children,
}: FieldProps) {
  const form = useContext(FormContext)
  const id = useId()
  const [note, setNote] = useState<string | null>(null)
  const message = error ?? (name === undefined ? undefined : form?.errors[name])
  const field = {
    name,
    controlId: `${id}-control`,
    labelId: `${id}-label`,
    describedBy: cx(help != null && `${id}-help`, `${id}-message`) || undefined,
    invalid: Boolean(message),
    showNote: setNote,
  }
  return (
    <FieldContext value={field}>
      <BaseField.Root
        invalid={field.invalid}
        data-field={name}
        data-field-invalid={field.invalid || undefined}
        className={cx('flex min-w-0 flex-col', className)}
      >
        <div className={cx('mb-1.5 flex items-baseline justify-between gap-3', hideLabel && 'sr-only')}>
          <BaseField.Label id={field.labelId} className="text-13 font-medium text-ink">
            {label}
            {optional ? <span className="font-normal text-ink-3"> (optional)</span> : null}
          </BaseField.Label>
          {aside ? <span className="text-12 text-ink-3">{aside}</span> : null}
        </div>
        {children}
        {help == null ? null : (
          <BaseField.Description id={`${id}-help`} className="mt-1.5 text-12 text-ink-3 text-pretty">
            {help}
          </BaseField.Description>
        )}
        {noErrorLine && !message && note === null ? null : (
          <div
            id={`${id}-message`}
            aria-live="polite"
            className={cx(
              'mt-1 min-h-7 pb-2 text-12 leading-5',
              message
                ? 'font-medium text-danger-ink'
                : note === null
                  ? 'text-ink-3'
                  : 'font-medium text-warning-ink',
            )}
          >
            {message ? <BaseField.Error match>{message}</BaseField.Error> : (note ?? status)}
          </div>
        )}
      </BaseField.Root>
    </FieldContext>
  )
}

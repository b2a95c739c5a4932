import { Field as BaseField } from '@base-ui/react/field'
import { useContext, useId } from 'react'
import type { ReactNode } from 'react'
import { FieldContext, FormContext } from '../form-context.ts'
import { cx } from './cx.ts'

type FieldProps = {
  label: ReactNode
  /** The form's value that the control inside holds. */
  name?: string
  help?: ReactNode
  /** Said under the control and announced. Inside a form the form's own error for `name` shows by itself. */
  error?: ReactNode
  /** A quiet status in the error's room while there is no error, such as 'Looks great!'. Announced too. */
  status?: ReactNode
  /** Marks the few fields that may stay empty. */
  optional?: boolean
  /** Keeps the label for screen readers only, where the place says it already (a search box, a table cell). */
  hideLabel?: boolean
  /** Gives up the line kept for the error, in toolbars and filters that have none. */
  roomless?: boolean
  /** At the right of the label, such as a link or a count. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** One labelled control: label above, help below, error under it in a line that is always kept, so nothing jumps. */
export function Field({
  label,
  name,
  help,
  error,
  status,
  optional = false,
  hideLabel = false,
  roomless = false,
  aside,
  className,
  children,
}: FieldProps) {
  const form = useContext(FormContext)
  const id = useId()
  const message = error ?? (name === undefined ? undefined : form?.errors[name])
  const field = {
    name,
    controlId: `${id}-control`,
    labelId: `${id}-label`,
    describedBy: cx(help != null && `${id}-help`, `${id}-message`) || undefined,
    invalid: Boolean(message),
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
        {roomless && !message ? null : (
          <div
            id={`${id}-message`}
            aria-live="polite"
            className={cx(
              'mt-1 min-h-7 text-12 leading-5',
              message ? 'font-medium text-danger-ink' : 'text-ink-3',
            )}
          >
            {message ? <BaseField.Error match>{message}</BaseField.Error> : status}
          </div>
        )}
      </BaseField.Root>
    </FieldContext>
  )
}

import { useContext, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { z } from 'zod'
import { FormContext } from './form-context.ts'
import { failureOf, firstMessages, FormRefusal } from './form-failure.ts'
import type { FormFailure } from './form-failure.ts'
import { Alert } from './ui/alert.tsx'
import type { ButtonProps } from './ui/button.tsx'
import { cx } from './ui/cx.ts'
import { FailureText, WaitButton } from './ui/wait.tsx'

export { FormRefusal }
export type { FormFailure }

type FormSchema = z.ZodType<unknown, Record<string, unknown>>

export type FormHandle<S extends FormSchema> = {
  values: z.input<S>
  errors: Record<string, string>
  busy: boolean
  /** Whether a value differs from the initial or last submitted values. */
  dirty: boolean
  setValue: <K extends keyof z.input<S> & string>(name: K, value: z.input<S>[K]) => void
  /** Shows an error at a field, for example for a taken name. An empty message removes it. */
  setError: (name: keyof z.input<S> & string, message: string) => void
  reset: (values?: z.input<S>) => void
}

type State<S extends FormSchema> = { values: z.input<S>; errors: Record<string, string> }

/** An alert above the fields. One that came with errors at fields goes when these are corrected. */
type Refusal = Omit<FormFailure, 'fields'> & { isOfFields: boolean }

type FormProps<S extends FormSchema> = {
  schema: S
  /** The initial values. Must contain every name that a field uses. */
  defaultValues: z.input<S>
  /**
   * Called with the schema's output when all values are valid. An error that it throws is shown at the fields
   * it names, otherwise in an alert. The values are kept.
   */
  onSubmit: (values: z.output<S>, form: FormHandle<S>) => Promise<unknown> | void
  /** Converts an error to messages for the form or its fields; null leaves it to the default handling. */
  explain?: (error: unknown) => FormFailure | null
  /** The accessible name, where no heading names the form. */
  label?: string
  id?: string
  className?: string
  children: ReactNode | ((form: FormHandle<S>) => ReactNode)
}

/**
 * The form of all screens. Validates on submit, then again while errors are corrected, and focuses the first
 * wrong field. A failed submit keeps the values. Has `data-unsaved` while it holds changes, so that no dialog
 * covers it.
 */
export function Form<S extends FormSchema>({
  schema,
  defaultValues,
  onSubmit,
  explain,
  label,
  id,
  className,
  children,
}: FormProps<S>) {
  const element = useRef<HTMLFormElement>(null)
  const [start, setStart] = useState<z.input<S>>(defaultValues)
  const [{ values, errors }, setState] = useState<State<S>>({ values: defaultValues, errors: {} })
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [until, setUntil] = useState<number>()
  const [busy, setBusy] = useState(false)

  function setValue(name: string, value: unknown) {
    // Attempts are counted for an account or a mailbox, and these may be others.
    setUntil(undefined)
    setState((was) => {
      const next: z.input<S> = { ...was.values, [name]: value }
      if (Object.keys(was.errors).length === 0) return { values: next, errors: was.errors }
      return {
        values: next,
        errors: recheck(was.errors, name, problemsOf(schema, was.values), problemsOf(schema, next)),
      }
    })
  }

  function setErrors(next: (errors: Record<string, string>) => Record<string, string>) {
    setState((was) => ({ values: was.values, errors: next(was.errors) }))
  }

  function fail(failure: FormFailure) {
    const fields = Object.fromEntries(
      Object.entries(failure.fields ?? {}).filter(
        ([field]) => field in values && hasField(element.current, field),
      ),
    )
    // Messages for fields that are not on the screen are shown in the alert.
    const withoutField = Object.entries(failure.fields ?? {}).filter(([field]) => !(field in fields))
    const message = [failure.message, ...withoutField.map(([, text]) => text)].filter(Boolean).join(' ')
    flushSync(() => {
      setErrors(() => fields)
      setRefusal(
        message
          ? {
              title: failure.title,
              message,
              until: failure.until,
              isOfFields: Object.keys(fields).length > 0 && withoutField.length === 0,
            }
          : null,
      )
      setUntil(failure.until)
      setBusy(false)
    })
    focusFirstInvalid(element.current)
  }

  async function submit() {
    if (busy) return
    const parsed = schema.safeParse(values)
    if (!parsed.success) return fail({ fields: firstMessages(parsed.error.issues) })
    setBusy(true)
    setErrors(() => ({}))
    setRefusal(null)
    try {
      await onSubmit(parsed.data, handle)
      // Later changes are compared with the submitted values, unless the form was reset in the meantime.
      setStart((was) => (was === start ? values : was))
      setBusy(false)
    } catch (error) {
      const { until } = failureOf(error)
      fail({ until, ...(explain?.(error) ?? failureOf(error)) })
    }
  }

  const dirty = JSON.stringify(values) !== JSON.stringify(start)
  const handle: FormHandle<S> = {
    values,
    errors,
    busy,
    dirty,
    setValue,
    setError: (name, message) =>
      setErrors((shown) => {
        const others = Object.fromEntries(Object.entries(shown).filter(([field]) => field !== name))
        return message ? { ...others, [name]: message } : others
      }),
    reset: (next = start) => {
      setStart({ ...next })
      setState({ values: next, errors: {} })
      setRefusal(null)
    },
  }

  return (
    <FormContext value={{ values, errors, busy, until, setValue }}>
      <form
        ref={element}
        id={id}
        noValidate
        aria-label={label}
        data-unsaved={dirty || busy ? '' : undefined}
        className={cx('flex flex-col', className)}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
      >
        {refusal && !(refusal.isOfFields && Object.keys(errors).length === 0) ? (
          <Alert tone="danger" title={refusal.title} className="mb-4">
            <FailureText failure={refusal} />
          </Alert>
        ) : null}
        {typeof children === 'function' ? children(handle) : children}
      </form>
    </FormContext>
  )
}

/** The form's submit button. It is busy while the form is, and counts down after too many attempts. */
export function SubmitButton({ variant = 'primary', ...props }: Omit<ButtonProps, 'type' | 'busy'>) {
  const form = useContext(FormContext)
  return <WaitButton {...props} variant={variant} type="submit" busy={form?.busy} until={form?.until} />
}

function problemsOf(schema: FormSchema, values: unknown): Record<string, string> {
  const parsed = schema.safeParse(values)
  return parsed.success ? {} : firstMessages(parsed.error.issues)
}

/**
 * Updates the shown errors. New errors wait for the next submit; the server's stay until their field changes.
 */
function recheck(
  shown: Record<string, string>,
  changed: string,
  before: Record<string, string>,
  after: Record<string, string>,
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [field, message] of Object.entries(shown)) {
    const fromServer = field !== changed && before[field] === undefined
    const now = fromServer ? message : after[field]
    if (now !== undefined) kept[field] = now
  }
  return kept
}

function hasField(form: HTMLFormElement | null, name: string): boolean {
  return form?.querySelector(`[data-field="${CSS.escape(name)}"]`) != null
}

const focusable =
  'input:not([type=hidden], [tabindex="-1"], [aria-hidden=true]), textarea, select, ' +
  'button:not([tabindex="-1"]), [tabindex="0"]'

function focusFirstInvalid(form: HTMLFormElement | null): void {
  const wrong = form?.querySelector('[data-field-invalid]')
  const control = wrong?.querySelector<HTMLElement>(focusable)
  if (control) control.focus()
  else form?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
}

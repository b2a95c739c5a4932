import { createContext, useContext, useState } from 'react'

/** The state of a form that its fields use. */
type FormState = {
  values: Record<string, unknown>
  errors: Record<string, string>
  busy: boolean
  /** The same values may be submitted again from then on, by the server's clock. */
  until: number | undefined
  setValue: (name: string, value: unknown) => void
}

export const FormContext = createContext<FormState | null>(null)

/** The state of a field that its control uses: the ids of its parts and the name of its value. */
type FieldState = {
  name: string | undefined
  controlId: string
  labelId: string
  /** Ids of the help and error texts, for controls that Base UI does not connect automatically. */
  describedBy: string | undefined
  invalid: boolean
  /** Shows a message of the control in place of the status; null shows the status again. */
  showNote?: (note: string | null) => void
}

export const FieldContext = createContext<FieldState | null>(null)

export function useField(): FieldState | null {
  return useContext(FieldContext)
}

type Binding<T> = {
  value: T | undefined
  onValueChange: ((value: T) => unknown) | undefined
  defaultValue: T | undefined
}

/**
 * The value of a control: from its props, else from the form by the field's name, else from its own state,
 * which starts with `defaultValue` or `empty`.
 */
export function useControl<T>(props: Partial<Binding<T>>, empty: T): [T, (value: T) => void] {
  const form = useContext(FormContext)
  const field = useContext(FieldContext)
  const [own, setOwn] = useState<T>(props.defaultValue ?? empty)
  const name = field?.name
  if (props.value === undefined && form && name !== undefined) {
    if (!(name in form.values)) throw new Error(`The form has no value named "${name}".`)
    return [
      // The schema checks all values on submit. Until then a value has the type that its control produces.
      form.values[name] as T,
      (value) => {
        form.setValue(name, value)
        props.onValueChange?.(value)
      },
    ]
  }
  return [
    // Null is a value too, for example a cleared choice.
    props.value === undefined ? own : props.value,
    (value) => {
      setOwn(value)
      props.onValueChange?.(value)
    },
  ]
}

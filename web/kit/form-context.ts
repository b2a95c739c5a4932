import { createContext, useContext, useState } from 'react'

/** What a field needs of the form around it. */
type FormState = {
  values: Record<string, unknown>
  errors: Record<string, string>
  busy: boolean
  setValue: (name: string, value: unknown) => void
}

export const FormContext = createContext<FormState | null>(null)

/** What a control needs of the field around it: names for its parts, and which value of the form is its own. */
type FieldState = {
  name: string | undefined
  controlId: string
  labelId: string
  /** Ids of the help and error texts, for controls that Base UI does not wire by itself. */
  describedBy: string | undefined
  invalid: boolean
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
 * The value of a control, from the nearest owner: its own props, else the form by the field's name, else itself,
 * beginning with `defaultValue` or `empty`.
 */
export function useControl<T>(props: Partial<Binding<T>>, empty: T): [T, (value: T) => void] {
  const form = useContext(FormContext)
  const field = useContext(FieldContext)
  const [own, setOwn] = useState<T>(props.defaultValue ?? empty)
  const name = field?.name
  if (props.value === undefined && form && name !== undefined) {
    if (!(name in form.values)) throw new Error(`The form has no value named "${name}".`)
    return [
      // The schema checks the whole of the values on submit; a control can only hold what its own kind produces.
      form.values[name] as T,
      (value) => {
        form.setValue(name, value)
        props.onValueChange?.(value)
      },
    ]
  }
  return [
    // Null is a value of its owner's, such as a choice taken back.
    props.value === undefined ? own : props.value,
    (value) => {
      setOwn(value)
      props.onValueChange?.(value)
    },
  ]
}

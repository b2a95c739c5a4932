type Field = string | Field[] | { [key: string]: Field }

/** Reads `items[0][price]=x&expand[]=y` into objects and lists; every value stays a text. */
export function readForm(text: string): { [key: string]: Field } {
  const root: { [key: string]: Field } = {}
  for (const [name, value] of new URLSearchParams(text)) put(root, keysOf(name), value)
  return Object.fromEntries(Object.entries(root).map(([key, field]) => [key, withLists(field)]))
}

function keysOf(name: string): string[] {
  const first = name.indexOf('[')
  if (first < 1) return [name]
  return [
    name.slice(0, first),
    ...[...name.slice(first).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? ''),
  ]
}

function put(into: { [key: string]: Field }, [first = '', ...rest]: string[], value: string) {
  const key = first === '' ? String(Object.keys(into).length) : first
  if (key === '__proto__') return
  if (rest.length === 0) {
    into[key] = value
    return
  }
  const below = into[key]
  const next = typeof below === 'object' && !Array.isArray(below) ? below : {}
  into[key] = next
  put(next, rest, value)
}

function withLists(field: Field): Field {
  if (typeof field === 'string' || Array.isArray(field)) return field
  const entries = Object.entries(field).map(([key, each]) => [key, withLists(each)] as const)
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key)))
    return entries.map(([, each]) => each)
  return Object.fromEntries(entries)
}

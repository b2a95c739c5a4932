/*
 * What a tab remembers for as long as it is open. A browser may refuse to keep anything, or have no room: then it is
 * remembered until the page is loaded again, and nothing breaks.
 */
const meanwhile = new Map<string, string>()

export function keepInTab(key: string, text: string): void {
  meanwhile.set(key, text)
  attempt(() => sessionStorage.setItem(key, text))
}

export function readFromTab(key: string): string | null {
  return attempt(() => sessionStorage.getItem(key)) ?? meanwhile.get(key) ?? null
}

export function dropFromTab(key: string): void {
  meanwhile.delete(key)
  attempt(() => sessionStorage.removeItem(key))
}

function attempt<T>(action: () => T): T | null {
  try {
    return action()
  } catch {
    return null
  }
}

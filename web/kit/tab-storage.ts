/*
 * Values that a tab keeps while it is open. If the browser refuses storage or it is full, they are kept in
 * memory until a reload.
 */
const inMemory = new Map<string, string>()

export function keepInTab(key: string, text: string): void {
  inMemory.set(key, text)
  attempt(() => sessionStorage.setItem(key, text))
}

export function readFromTab(key: string): string | null {
  return attempt(() => sessionStorage.getItem(key)) ?? inMemory.get(key) ?? null
}

export function dropFromTab(key: string): void {
  inMemory.delete(key)
  attempt(() => sessionStorage.removeItem(key))
}

/** Deletes every value whose key begins like this. */
export function dropAllFromTab(prefix: string): void {
  const keys = [...inMemory.keys(), ...(attempt(() => Object.keys(sessionStorage)) ?? [])]
  for (const key of keys) if (key.startsWith(prefix)) dropFromTab(key)
}

/**
 * Deletes all that this tab and this browser keep, at a sign-out. The answer of the server asks for that,
 * too, but not every browser obeys, and none knows what is in memory.
 */
export function dropEverything(): void {
  inMemory.clear()
  attempt(() => sessionStorage.clear())
  attempt(() => localStorage.clear())
}

/** Keeps a value in this browser until the member signs out, if the browser allows it. */
export function keepOnDevice(key: string, text: string): void {
  attempt(() => localStorage.setItem(key, text))
}

export function readFromDevice(key: string): string | null {
  return attempt(() => localStorage.getItem(key))
}

export function dropFromDevice(key: string): void {
  attempt(() => localStorage.removeItem(key))
}

function attempt<T>(action: () => T): T | null {
  try {
    return action()
  } catch {
    return null
  }
}

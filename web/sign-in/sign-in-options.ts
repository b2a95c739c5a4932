import type { Provider } from '#contract/settings.ts'
import { client } from '#web/api.ts'

let asked: Promise<Provider | null> | undefined
const patienceMs = 2_000

/**
 * The provider that this club offers, asked for once. None when it cannot be found out soon: the pages that offer it
 * stand without it, rather than not at all.
 */
export function findProvider() {
  asked ??= client.settings
    .getSignInOptions()
    .then(({ provider }) => provider)
    .catch(() => {
      asked = undefined
      return null
    })
  const soon = new Promise<null>((resolve) => setTimeout(() => resolve(null), patienceMs))
  return Promise.race([asked, soon])
}

/** Whether a sign-in was begun in this browser that a code would end. Not when it cannot be found out. */
export function needsCode(): Promise<boolean> {
  return client.settings.getSignInOptions().then(
    (options) => options.needsCode,
    () => false,
  )
}

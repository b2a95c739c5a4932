// Makes the page that checks a draw work. What does that is twenty times as large as the page, so it is
// loaded at a visitor's first move towards it; at once for members, whose draws it lists, and for a request
// that the address names.
const place = document.querySelector<HTMLElement>('[data-draw-check]')
const state = document.querySelector<HTMLElement>('[data-draw-check-state]')
if (place) waitForReader(place)

function waitForReader(place: HTMLElement) {
  const signedIn = place.dataset['signedIn'] === 'true'
  const request = new URLSearchParams(location.search).get('request') ?? undefined
  const waiting = new AbortController()
  let isLoading = false
  /** What was done before there was anything to do it. */
  let pressed: HTMLButtonElement | undefined
  let dropped: File | undefined

  const on = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    act: (event: HTMLElementEventMap[Type]) => void,
  ) => place.addEventListener(type, act, { signal: waiting.signal })
  for (const type of ['pointerover', 'pointerdown', 'focusin', 'keydown', 'dragover', 'click'] as const)
    on(type, () => void load())
  for (const type of ['submit', 'dragover', 'drop'] as const) on(type, (event) => event.preventDefault())
  on('click', ({ target }) => {
    pressed = (target as Element).closest('button') ?? undefined
    if (pressed) say('Loading...')
  })
  on('drop', ({ dataTransfer }) => {
    dropped = dataTransfer?.files[0]
    say('Loading...')
  })
  if (signedIn || request !== undefined) void load()

  async function load() {
    if (isLoading) return
    isLoading = true
    const loaded = await import('./open-check.tsx').catch(() => null)
    if (!loaded) {
      isLoading = false
      pressed = undefined
      say('What checks a draw couldn’t be loaded. Reload the page and try again.')
      return
    }
    say('')
    waiting.abort()
    loaded.openCheck(place, { signedIn, request, dropped, onReady: () => pressed?.click() })
  }
}

function say(text: string) {
  if (state) state.textContent = text
}

// A module, so that a test can import it.
export {}

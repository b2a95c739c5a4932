import { useEffect, useEffectEvent } from 'react'
import type { ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createChecker } from './checker.ts'
import { DrawCheck } from './draw-check.tsx'
import { checkIds } from './ids.ts'

type Opened = {
  signedIn: boolean
  /** The request or offer that the address names. */
  request: string | undefined
  /** A file that was dropped before this was loaded. */
  dropped: File | undefined
  /** Called once what the page shows can be used. */
  onReady: () => void
}

/** Makes the form that the server rendered work. What is typed in it, and where the reader is, stays. */
export function openCheck(place: HTMLElement, { signedIn, request, dropped, onReady }: Opened): void {
  const checker = createChecker({ signedIn })
  const screen = (
    <Ready onReady={onReady}>
      <DrawCheck checker={checker} signedIn={signedIn} request={request} dropped={dropped} />
    </Ready>
  )
  // The server rendered no request: nothing of the page stays as it was.
  if (request === undefined) hydrateRoot(place, screen, { identifierPrefix: checkIds })
  else createRoot(place).render(screen)
}

function Ready({ children, onReady }: { children: ReactNode; onReady: () => void }) {
  const say = useEffectEvent(onReady)
  // The page around this waits for it.
  useEffect(() => say(), [])
  return children
}

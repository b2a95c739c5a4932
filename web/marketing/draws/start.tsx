// Makes the page that checks a draw work. Only that page loads it, and the worker on the first check.
import { createRoot } from 'react-dom/client'
import { createChecker } from './checker.ts'
import { DrawCheck } from './draw-check.tsx'

const place = document.querySelector<HTMLElement>('[data-draw-check]')
if (place) {
  const signedIn = place.dataset['signedIn'] === 'true'
  const request = new URLSearchParams(location.search).get('request') ?? undefined
  createRoot(place).render(
    <DrawCheck checker={createChecker({ signedIn })} signedIn={signedIn} request={request} />,
  )
}

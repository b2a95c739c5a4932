import './kit/strict.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, prepareApp } from './app.tsx'

const place = document.getElementById('root')
if (!place) throw new Error('index.html has no element #root.')

try {
  // Until then the outline of a page stands there, from index.html.
  const app = await prepareApp()
  createRoot(place).render(
    <StrictMode>
      <App {...app} />
    </StrictMode>,
  )
} catch (error) {
  const words = place.querySelector('[role=status] p')
  if (words) words.textContent = 'Evenhand could not be started in this browser. Load the page again.'
  throw error
}

import './kit/strict.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, prepareApp } from './app.tsx'

const place = document.getElementById('root')
if (!place) throw new Error('index.html has no element #root.')

try {
  // Until then, index.html shows the outline of a page.
  const app = await prepareApp()
  createRoot(place).render(
    <StrictMode>
      <App {...app} />
    </StrictMode>,
  )
} catch (error) {
  const status = place.querySelector('[role=status] p')
  if (status) status.textContent = "Evenhand couldn't start in this browser. Reload the page."
  throw error
}

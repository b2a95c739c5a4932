import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/kit/kit.css'
import { Frame } from './frame.tsx'

test('a bar above the page does not push the member out of the sidebar', async () => {
  await page.viewport(1280, 600)
  await render(
    <Frame
      home="/"
      sections={[]}
      person={{ name: 'anna', email: 'anna@mail.example' }}
      bar={<p>You are offline.</p>}
    >
      <h1>Dashboard</h1>
    </Frame>,
  )
  await expect.element(page.getByText('You are offline.')).toBeInViewport({ ratio: 1 })
  await expect.element(page.getByText('anna@mail.example')).toBeInViewport({ ratio: 1 })
})

import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/kit/kit.css'
import { Frame } from './frame.tsx'

test('the bar stays in view when a long page is scrolled', async () => {
  await page.viewport(390, 600)
  await render(
    <Frame home="/" sections={[]} person={{ name: 'anna', email: 'a@mail.example' }} bar={<p>Offline.</p>}>
      <p style={{ height: 3_000 }}>A long page</p>
      <p>The end</p>
    </Frame>,
  )
  page.getByText('The end').element().scrollIntoView()
  await expect.element(page.getByText('The end')).toBeInViewport()
  await expect.element(page.getByText('Offline.')).toBeInViewport({ ratio: 1 })
})

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

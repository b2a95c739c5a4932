import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Markdown } from './markdown.tsx'

test('a description has emphasis and lists, and can hold no link, picture or HTML', async () => {
  const { container } = await render(
    <Markdown
      text={`**Bold** and _soft_\n\n- one\n- two\n\n[me](https://shop.test) <https://shop.test>
![x](https://shop.test/x.png) <img src=x onerror=alert(1)> <b>not bold</b>

[ref]: https://shop.test

# A heading &amp; more`}
    />,
  )
  expect(container.querySelectorAll('a, img, b, script, iframe, h1, h2, h3')).toHaveLength(0)
  expect([...container.querySelectorAll('strong, em, li')].map((each) => each.textContent)).toEqual([
    'Bold',
    'soft',
    'one',
    'two',
  ])
  expect(container.textContent).toContain('[me](https://shop.test)')
  expect(container.textContent).toContain('<img src=x onerror=alert(1)>')
})

test('lists that nest thousands of levels deep are text', async () => {
  const { container } = await render(<Markdown text={'1. '.repeat(1600)} />)
  expect(container.querySelectorAll('*').length).toBeLessThan(10)
})

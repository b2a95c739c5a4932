import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { FilePicture } from './file-picture.tsx'

const dot = new File(['<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'], 'dot.svg', {
  type: 'image/svg+xml',
})

test('a chosen picture keeps its address when its parent rerenders and releases it on unmount', async () => {
  const { rerender, unmount } = await render(<FilePicture file={dot} alt="before" />)
  const shown = document.querySelector('img')?.src ?? ''
  expect(await (await fetch(shown)).text()).toContain('<svg')
  await rerender(<FilePicture file={dot} alt="after" />)
  expect(document.querySelector('img')).toMatchObject({ alt: 'after', src: shown })
  await unmount()
  await expect(fetch(shown)).rejects.toThrow('Failed to fetch')
})

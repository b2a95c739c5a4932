import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import '#web/kit/kit.css'
import { TimeRing } from './progress-ring.tsx'

const minute = 60_000

test.each([
  [60, 4],
  [88, 6],
  [132, 8],
])('no time of days, hours and minutes touches a ring of %i pixels', async (size, stroke) => {
  for (const minutes of [71 * 60 + 57, 167 * 60 + 45, 10 * 60 + 10, 125, 59]) {
    const end = Date.now() + minutes * minute
    const { container, unmount } = await render(
      <TimeRing
        start={end - 200 * 60 * minute}
        end={end}
        label="Left"
        size={size}
        stroke={stroke}
        text="hours"
      />,
    )
    expect(farthest(container), `${minutes} minutes`).toBeLessThan(size / 2 - stroke - 2)
    await unmount()
  }
})

/** How far the ink of the text reaches from the middle of its ring. */
function farthest(container: Element): number {
  const ring = container.querySelector('svg')?.getBoundingClientRect()
  if (!ring) throw new Error('There is no ring.')
  const text = document.createRange()
  const middle = container.querySelector('.tabular')
  if (!middle) throw new Error('There is no text.')
  const words = document.createTreeWalker(middle, NodeFilter.SHOW_TEXT)
  const corners: number[] = []
  while (words.nextNode()) {
    text.selectNodeContents(words.currentNode)
    for (const { left, right, top, bottom } of text.getClientRects()) {
      // Digits and letters fill the middle three fifths of a line.
      const inset = (bottom - top) / 5
      for (const x of [left, right])
        for (const y of [top + inset, bottom - inset])
          corners.push(Math.hypot(x - ring.x - ring.width / 2, y - ring.y - ring.height / 2))
    }
  }
  expect(corners.length).toBeGreaterThan(0)
  return Math.max(...corners)
}

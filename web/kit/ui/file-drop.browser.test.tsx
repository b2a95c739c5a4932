import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../kit.css'
import { KitRoot } from '../kit-root.tsx'
import { FileDrop, proofFiles } from './file-drop.tsx'

const limit = 2 * 1_024 * 1_024

async function show(progress: number | null = null) {
  const changed = vi.fn<(file: File | null) => void>()
  await render(
    <KitRoot>
      <FileDrop
        label="Proof of purchase"
        accept={proofFiles}
        below={limit}
        hint="JPG, PNG or PDF, under 2 MB"
        onValueChange={changed}
        progress={progress}
      />
    </KitRoot>,
  )
  return changed
}

function drop(file: File) {
  const data = new DataTransfer()
  data.items.add(file)
  const target = page.getByText('or drop it here').element()
  for (const type of ['dragenter', 'dragover', 'drop']) {
    target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
  }
}

test('a dropped file is accepted and its name is shown', async () => {
  const changed = await show()
  drop(new File(['%PDF-1.7'], 'order.pdf', { type: 'application/pdf' }))
  await expect.element(page.getByText('order.pdf')).toBeVisible()
  expect(changed).toHaveBeenLastCalledWith(expect.objectContaining({ name: 'order.pdf' }))
})

test('a file of exactly 2 MB is refused with a message', async () => {
  const changed = await show()
  drop(new File([new Uint8Array(limit)], 'big.png', { type: 'image/png' }))
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('This file is too large. It must be under 2 MB.')
  expect(changed).not.toHaveBeenCalled()
})

test('a file one byte smaller is accepted', async () => {
  const changed = await show()
  const picture = await aPicture()
  const padding = new Uint8Array(limit - 1 - picture.size)
  drop(new File([picture, padding], 'fits.png', { type: 'image/png' }))
  await expect.poll(() => changed).toHaveBeenCalledOnce()
})

test('a file of another type is refused with a message', async () => {
  const changed = await show()
  drop(new File(['MZ'], 'order.exe', { type: 'application/x-msdownload' }))
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent("You can't use this type of file. Use JPG, PNG or PDF, under 2 MB.")
  expect(changed).not.toHaveBeenCalled()
})

test.each([
  ['image/png', 'cover.png'],
  ['application/pdf', 'order.pdf'],
])('a file that only its name makes a %s is refused when it is chosen', async (type, name) => {
  const changed = await show()
  drop(new File(['not a picture'], name, { type }))
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent("You can't use this type of file. Use JPG, PNG or PDF, under 2 MB.")
  expect(changed).not.toHaveBeenCalled()
})

test('a chosen file can be removed', async () => {
  const changed = await show()
  drop(new File(['%PDF-1.7'], 'order.pdf', { type: 'application/pdf' }))
  await page.getByRole('button', { name: 'Remove file' }).click()
  expect(changed).toHaveBeenLastCalledWith(null)
  await expect.element(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
})

async function aPicture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(2, 2)
  canvas.getContext('2d')?.fillRect(0, 0, 2, 2)
  return canvas.convertToBlob()
}

// A PDF is shown once, by PDFium compiled to WebAssembly, and only the pictures of its pages are kept. What
// else it holds goes with it: scripts, forms, attachments, links, appended files. For the image worker only.
import { PDFiumLibrary } from '@hyzyla/pdfium'

const mostPages = 20
const pagesKept = 5
/** An A4 page at 150 dots an inch. */
const pageWidth = 1240
const mostPageHeight = 3508
const mostTimesLonger = 20

export type PdfFault = 'too_many_pages' | 'locked_pdf' | 'unreadable'

/** Pixels in red, green, blue and alpha, row by row. */
type Pixels = { data: Buffer; width: number; height: number }

/**
 * The first five pages, one below the other, each at most 1240 pixels wide and 3508 high, or why there are
 * none: more than 20 pages, a password, or no PDF that can be shown.
 */
export async function drawPages(file: Uint8Array): Promise<Pixels | PdfFault> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(file)
    const count = document.getPageCount()
    if (count > mostPages) return 'too_many_pages'
    const pages: Pixels[] = []
    for (let at = 0; at < Math.min(count, pagesKept); at++) pages.push(await drawPage(document.getPage(at)))
    return pages.length > 0 ? stack(pages) : 'unreadable'
  } catch (fault) {
    return fault instanceof Error && fault.message.startsWith('Password') ? 'locked_pdf' : 'unreadable'
  }
}

type Page = ReturnType<Awaited<ReturnType<PDFiumLibrary['loadDocument']>>['getPage']>

async function drawPage(page: Page): Promise<Pixels> {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const [short, long] = [originalWidth, originalHeight].toSorted((one, other) => one - other)
  if (!short || !long || long / short > mostTimesLonger) throw new Error('this page has no usable shape')
  const scale = Math.min(pageWidth / originalWidth, mostPageHeight / originalHeight)
  const width = Math.max(1, Math.round(originalWidth * scale))
  const height = Math.max(1, Math.round(originalHeight * scale))
  const { data } = await page.render({ width, height, render: 'bitmap' })
  return { data: Buffer.from(data), width, height }
}

/** Narrower pages stand at the left, on white. */
function stack(pages: Pixels[]): Pixels {
  const height = pages.reduce((sum, page) => sum + page.height, 0)
  const data = Buffer.alloc(pageWidth * height * 4, 255)
  let top = 0
  for (const page of pages) {
    for (let row = 0; row < page.height; row++)
      page.data.copy(data, (top + row) * pageWidth * 4, row * page.width * 4, (row + 1) * page.width * 4)
    top += page.height
  }
  return { data, width: pageWidth, height }
}

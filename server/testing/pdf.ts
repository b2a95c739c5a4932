type PdfOptions = {
  /** The text on each page. */
  pages: string[]
  /** Width and height of the pages, in points. */
  size?: string
  /** Further entries of the catalog, of each page, and of the trailer. */
  catalog?: string
  page?: string
  trailer?: string
  /** What follows the end of the document. */
  behind?: string
}

/** A whole PDF with a line of text on each page. */
export function drawPdf({ pages, size = '595 842', catalog, page, trailer, behind }: PdfOptions): Buffer {
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${catalog ?? ''}>>`,
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...pages.flatMap((text, at) => {
      const content = `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${size}]/Resources<</Font<</F1 3 0 R>>>>` +
          `/Contents ${5 + at * 2} 0 R${page ?? ''}>>`,
        `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let file = '%PDF-1.7\n'
  let index = '0000000000 65535 f \n'
  for (const [at, object] of objects.entries()) {
    index += `${String(file.length).padStart(10, '0')} 00000 n \n`
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
  }
  const end = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer ?? ''}>>\nstartxref\n${file.length}`
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n${index}${end}\n%%EOF\n${behind ?? ''}`, 'latin1')
}

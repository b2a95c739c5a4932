// What a picture looks like, too coarse to read anything in it: the gray of 64 × 64 fields, and the places
// where a larger field is lighter than its left neighbor. Saving a picture again, or in another size, keeps
// both.
import type { Sharp } from 'sharp'

const side = 64
const largerSide = 32
const lighterBy = 2

export type PictureHash = {
  /** The mean gray of each field, row by row. */
  tones: Buffer
  /** 992 zeros and ones, for a search by the number of different bits. */
  bits: string
}

/** The hash of a picture as people see it: on white, where it is transparent. */
export async function hashPicture(picture: Sharp): Promise<PictureHash> {
  const { data, info } = await picture
    .flatten({ background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const rows = Array.from({ length: info.height }, (_, y) =>
    meansOf(data.subarray(y * info.width, (y + 1) * info.width)),
  )
  const columns = Array.from({ length: side }, (_, column) => meansOf(rows.map((row) => row[column] ?? 0)))
  const tone = (row: number, column: number) => columns[column]?.[row] ?? 0
  const tones = Array.from({ length: side * side }, (_, at) => tone(Math.floor(at / side), at % side))
  return { tones: Buffer.from(tones.map(Math.round)), bits: bitsOf(tone) }
}

/** The means of 64 equal parts of a line. Parts may begin and end within a value. */
function meansOf(line: ArrayLike<number>): number[] {
  const sums = new Float64Array(line.length + 1)
  for (let at = 0; at < line.length; at++) sums[at + 1] = (sums[at] ?? 0) + (line[at] ?? 0)
  const sumTo = (place: number) => {
    const whole = Math.floor(place)
    return (sums[whole] ?? 0) + (place - whole) * (line[whole] ?? 0)
  }
  const part = line.length / side
  return Array.from({ length: side }, (_, at) => (sumTo((at + 1) * part) - sumTo(at * part)) / part)
}

function bitsOf(tone: (row: number, column: number) => number) {
  const larger = (row: number, column: number) =>
    (tone(row, column) + tone(row, column + 1) + tone(row + 1, column) + tone(row + 1, column + 1)) / 4
  return Array.from({ length: largerSide * (largerSide - 1) }, (_, at) => {
    const row = 2 * Math.floor(at / (largerSide - 1))
    const column = 2 * (at % (largerSide - 1))
    return larger(row, column + 2) - larger(row, column) > lighterBy ? '1' : '0'
  }).join('')
}

/** Pictures whose hashes differ in more bits are different ones. */
export const mostBitsApart = 40

// Measured on receipts: saved again in another quality or size, no field moves by more than 9 of 255. One
// other digit moves some by 13 and more; another product moves hundreds.
const sameTone = 9
const editedTone = 8
const mostFieldsEdited = 64
const bitsOfSimilar = 12

/**
 * Compares two pictures by their tones and the number of bits in which their hashes differ. The `same`
 * picture may have been saved again; a `similar` one may also have been edited in a few places.
 */
export function comparePictures(one: Uint8Array, other: Uint8Array, bitsApart: number) {
  const apart = Array.from(one, (tone, at) => Math.abs(tone - (other[at] ?? 0)))
  if (apart.every((difference) => difference <= sameTone)) return 'same'
  const edited = apart.filter((difference) => difference > editedTone).length
  return bitsApart <= bitsOfSimilar || edited <= mostFieldsEdited ? 'similar' : 'different'
}

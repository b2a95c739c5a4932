// The archive of a member's data, made from the data inventory: everything as JSON, some tables as CSV, and
// the member's files. It is streamed page by page and file by file, so that little of it is in memory.
import { csvRow, csvStart } from '#server/kit/csv.ts'
import type { Cell } from '#server/kit/csv.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { zip } from '#server/kit/zip.ts'
import type { ZipEntry } from '#server/kit/zip.ts'
import { readAvatar } from '#server/members/avatar.ts'
import { readImage } from '#server/products/images.ts'
import { dataInventory, describeColumn } from './data-inventory.ts'
import { columnsOf, readSection } from './reads.ts'

/** The bytes of a member's archive as a ZIP. `madeAt` is the time that the archive states. */
export function makeArchive(ctx: Ctx, memberId: string, madeAt: string): AsyncGenerator<Uint8Array> {
  return zip(entries(ctx, memberId, madeAt))
}

async function* entries(ctx: Ctx, memberId: string, madeAt: string): AsyncGenerator<ZipEntry> {
  yield { name: 'README.txt', parts: bytesOf(readme(ctx.config.origin, madeAt)) }
  yield { name: 'data.json', parts: bytesOf(json(ctx, memberId, madeAt)) }
  for (const [name, section] of tables) yield { name, parts: bytesOf(csv(ctx, memberId, section)) }
  yield* files(ctx, memberId)
}

/** The CSV files, each with its section of data.json. */
const tables = [
  ['ledger.csv', 'ledger'],
  ['reviews-written.csv', 'reviewsWritten'],
  ['reviews-received.csv', 'reviewsReceived'],
  ['activity.csv', 'activity'],
] as const

async function* json(ctx: Ctx, memberId: string, madeAt: string) {
  yield `{\n  "club": ${JSON.stringify(ctx.config.origin)},\n  "madeAt": ${JSON.stringify(madeAt)}`
  for (const [name, table] of Object.entries(dataInventory)) {
    for (const section of table.sections) {
      yield `,\n  ${JSON.stringify(section.name)}: [`
      let separator = '\n    '
      for await (const row of readSection(ctx, name, section, memberId)) {
        yield `${separator}${JSON.stringify(row)}`
        separator = ',\n    '
      }
      yield separator.startsWith(',') ? '\n  ]' : ']'
    }
  }
  yield '\n}\n'
}

async function* csv(ctx: Ctx, memberId: string, sectionName: string) {
  const [name, table, section] = findSection(sectionName)
  const columns = columnsOf(table, section)
  yield csvStart + csvRow(columns.map((column) => describeColumn(table, column).what))
  for await (const row of readSection(ctx, name, section, memberId))
    yield csvRow(Object.values(row).map(cellOf))
}

function findSection(sectionName: string) {
  for (const [name, table] of Object.entries(dataInventory)) {
    const section = table.sections.find((known) => known.name === sectionName)
    if (section) return [name, table, section] as const
  }
  throw new Error(`The data inventory has no section ${sectionName}.`)
}

function cellOf(value: unknown): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  return JSON.stringify(value)
}

const endings: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'application/pdf': 'pdf' }

/**
 * The member's files, each read only when it is packed. A missing file is left out; the function that reads
 * it logs that.
 */
async function* files(ctx: Ctx, memberId: string): AsyncGenerator<ZipEntry> {
  const me = await ctx.db
    .selectFrom('members')
    .select('avatarKey')
    .where('id', '=', memberId)
    .executeTakeFirst()
  if (me?.avatarKey) yield* fileOf('files/picture.webp', await readAvatar(ctx, me.avatarKey, 256))
  const images = await ctx.db
    .selectFrom('images')
    .select(['id', 'widths'])
    .where('ownerId', '=', memberId)
    .orderBy('id')
    .execute()
  for (const { id, widths } of images) {
    yield* fileOf(`files/product-pictures/${id}.webp`, await readImage(ctx, id, Math.max(...widths)))
  }
  const proofs = await ctx.db
    .selectFrom('proofs')
    .select(['id', 'fileKey', 'mime'])
    .where('uploaderId', '=', memberId)
    .where('fileKey', 'is not', null)
    .orderBy('id')
    .execute()
  for (const { id, fileKey, mime } of proofs) {
    yield* fileOf(
      `files/proofs/${id}.${endings[mime ?? ''] ?? 'bin'}`,
      fileKey && (await ctx.kit.files.get(fileKey)),
    )
  }
}

function* fileOf(name: string, bytes: Uint8Array | string | null): Generator<ZipEntry> {
  if (bytes instanceof Uint8Array) yield { name, parts: once(bytes), packed: true }
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

/** Text as bytes in pieces of at least 64 KB, because packing has a cost per piece. */
async function* bytesOf(texts: AsyncIterable<string> | Iterable<string>) {
  const encoder = new TextEncoder()
  let waiting = ''
  for await (const text of texts) {
    waiting += text
    if (waiting.length < 64 * 1024) continue
    yield encoder.encode(waiting)
    waiting = ''
  }
  yield encoder.encode(waiting)
}

function* readme(origin: string, madeAt: string) {
  yield `Your data at ${origin}\nCreated at ${madeAt}. All times are in UTC.\n\n`
  yield (
    'data.json has all the lists below, under the name at the start of each list. ' +
      '“me” is you. Other members are not named.\n'
  )
  yield (
    'The CSV files have the lists you may want to open in a spreadsheet. ' +
      'Cells that a spreadsheet could read as a formula start with an apostrophe.\n'
  )
  yield 'The folder “files” has your picture, your product pictures, and your proofs of purchase.\n'
  for (const table of Object.values(dataInventory)) {
    for (const section of table.sections) {
      yield `\n\n${section.name}: ${table.holds}. Kept: ${table.kept}.\n`
      for (const column of columnsOf(table, section))
        yield `\n  ${camel(column)}: ${describeColumn(table, column).what}`
      const left = Object.keys(table.columns).filter(
        (column) => describeColumn(table, column).withheld !== undefined,
      )
      for (const column of left) {
        const { what, withheld } = describeColumn(table, column)
        yield `\n  ${camel(column)}: ${what} (not included: ${withheld})`
      }
    }
  }
  yield '\n'
}

const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

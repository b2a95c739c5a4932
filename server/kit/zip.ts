// Streams a ZIP archive: only a part of one file is in memory at a time. No other file imports the library.
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

export type ZipEntry = {
  name: string
  parts: AsyncIterable<Uint8Array>
  /** Already compressed, like pictures. */
  packed?: boolean
}

/** The bytes of an archive of these files, in this order. */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array, void, undefined> {
  let ready: Uint8Array[] = []
  let fault: Error | null = null
  const archive = new Zip((error, part) => {
    if (error) fault = error
    else ready.push(part)
  })
  function take() {
    if (fault) throw fault
    const taken = ready
    ready = []
    return taken
  }

  for await (const { name, parts, packed = false } of entries) {
    const file = packed ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 })
    archive.add(file)
    for await (const part of parts) {
      file.push(part)
      yield* take()
    }
    file.push(new Uint8Array(0), true)
    yield* take()
  }
  archive.end()
  yield* take()
}

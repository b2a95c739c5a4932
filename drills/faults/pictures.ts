// Pictures with which members prove, and the files that the club keeps of them.
import { createHash } from 'node:crypto'
import type { PgConnection } from '#server/kit/db/connection.ts'
import type { Files } from '#server/kit/uploads/files.ts'
import { digestPixels, drawRandomPicture } from '#server/testing/random-picture.ts'
import type { Member } from '../club.ts'
import { ask } from '../cluster.ts'
import type { Edge } from '../visitor.ts'
import type { KeptFile } from './compare.ts'
import type { Form, History } from './history.ts'

/** A picture like no other as the proof of a review. */
export async function drawProof() {
  const bytes = await drawRandomPicture()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { form: await formOf(bytes), sha256, pixels: await digestPixels(bytes) }
}

async function formOf(bytes: Buffer): Promise<Form> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'proof.png')
  form.set('paidCents', '50')
  const whole = new Response(form)
  return {
    contentType: whole.headers.get('content-type') ?? '',
    bytes: new Uint8Array(await whole.arrayBuffer()),
  }
}

/** Reads every file of the storage. */
export async function readKeptFiles(files: Files): Promise<KeptFile[]> {
  const kept: KeptFile[] = []
  // The server of the drill lists a thousand at a time and no more.
  for (const prefix of '0123456789abcdef')
    for await (const { key } of files.list(prefix)) {
      const bytes = await files.get(key)
      // An upload that was cut off can leave an empty one. It is a fault only where a row names it.
      if (bytes) kept.push({ key, pixels: bytes.length === 0 ? 'none' : await digestPixels(bytes) })
    }
  return kept
}

/** Opens each proof as its uploader. Returns the keys of those that came as they are kept. */
export async function openProofs(admin: PgConnection, edge: Edge, files: Files, members: Member[]) {
  const opened = new Set<string>()
  const rows = await ask(admin, ['select id, uploader_id, file_key from proofs where file_key is not null'])
  for (const { id, uploader_id: uploader, file_key: key } of rows) {
    const me = members.find(({ memberId }) => memberId === uploader)
    const answer = me && (await edge.ask('GET', `/api/proofs/${id}`, me.headers))
    const kept = await files.get(String(key))
    if (answer?.status === 200 && kept && answer.text === kept.toString()) opened.add(String(key))
  }
  return opened
}

/** Whether a path is that of a picture that is uploaded. */
export const isUpload = (path: string) => /^\/api\/reviews\/[^/]+\/proof$/.test(path)

/** Prints what uploads met in an outage that ended at this moment. True when they waited and then went on. */
export function showUploads({ met }: History, { from, until }: { from: number; until: number }): boolean {
  const uploads = met.filter(({ path, at }) => isUpload(path) && at >= from)
  const refused = uploads.find(({ status, at }) => status === 503 && at <= until)
  const good = uploads.filter(({ status, at }) => status === 201 && at > until)
  const sentence = /"message":"([^"]*?)(?: If it happens[^"]*)?"/.exec(refused?.text ?? '')?.[1] ?? ''
  console.log(`  an upload without the storage: ${refused?.status ?? 'none'} “${sentence}”`)
  console.log(
    `    ${good.length} uploads after its return, the first ${seconds((good[0]?.at ?? 0) - until)} later`,
  )
  return refused !== undefined && good.length > 0
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

// The sample configurations of deploy/, with the addresses of a drill in place of their own.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import type { Stage } from './stage.ts'

/**
 * Writes the sample with each text replaced, and returns where. Fails when the sample does not have one: the
 * drill would run something else.
 */
export async function fillSample(stage: Stage, name: string, replaced: [string, string][]): Promise<string> {
  let text = await readFile(join('deploy', name), 'utf8')
  for (const [from, to] of replaced) {
    if (!text.includes(from)) throw new Error(`deploy/${name} has no ${from}.`)
    text = text.replaceAll(from, to)
  }
  const path = join(stage.folder, name)
  await writeFile(path, text)
  return path
}

/** A certificate with its key in one file, as both proxies read it. */
export async function makeCertificate(stage: Stage, host: string): Promise<string> {
  const made = await generate([{ name: 'commonName', value: host }], { keySize: 2048, algorithm: 'sha256' })
  const path = join(stage.folder, 'club.pem')
  await writeFile(path, `${made.cert}\n${made.private}`)
  return path
}

// A storage with the protocol of S3 on this machine, by a third party, which checks signatures. It starts
// with one empty bucket.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Config } from '#server/kit/config.ts'

export type S3Server = { config: S3Config; stop(): Promise<void> }

/** The part of the library that we use; it has no types. */
type Library = {
  new (options: object): { run(): Promise<{ port: number }>; close(): Promise<void> }
}

const bucket = 'evenhand-files'
/** The library knows one account. */
const account = 'S3RVER'

export async function startS3(): Promise<S3Server> {
  const name: string = '@20minutes/s3rver'
  const { default: Server }: { default: Library } = await import(name)
  const directory = await mkdtemp(join(tmpdir(), 'evenhand-s3-'))
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  return {
    config: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: 'us-east-1',
      accessKeyId: account,
      secretAccessKey: account,
    },
    async stop() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

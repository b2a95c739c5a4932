import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import { newStreams } from './streams.ts'

test('a beat is an event of its own type, with data: browsers pass on no event without any', async () => {
  const streams = newStreams()
  const server = createServer((_, res) => streams.open({ memberId: newId(), sessionId: newId(), res }))
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.')
  const { body } = await fetch(`http://127.0.0.1:${address.port}`)
  const texts = body?.pipeThrough(new TextDecoderStream()).getReader()
  await texts?.read()
  streams.beat()
  expect((await texts?.read())?.value).toBe('event: beat\ndata: {}\n\n')
  streams.closeAll(1000)
})

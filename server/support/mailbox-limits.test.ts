import { expect, test } from 'vitest'
import { limitReset, limitSignUp } from '#server/accounts/limits.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { limitContact } from './contact.ts'

const club = useClub()

const from = (n: number): Ctx => ({ ...club.system, client: { address: `198.51.100.${n}`, userAgent: '' } })

test.each([
  ['sign-ups', limitSignUp, 5],
  ['reset links', limitReset, 1],
  ['contact messages', limitContact, 1],
])('%s to one mailbox are counted together, however its address is written', async (_, limit, passing) => {
  for (let n = 0; n < passing; n += 1) await limit(from(n), `v.ictim+${n}@gmail.com`)
  await expect(limit(from(100), 'vi.ctim+other@googlemail.com')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  })
  await limit(from(101), 'victim@mail.example')
})

// The second factors of the demo's staff: they have one from the start, and /dev/staff shows its codes.
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { setTwoFactor } from '#server/members/members.ts'
import { seal, unseal } from './better-auth.ts'
import { newRecoveryCodes, sealCodes } from './recovery-codes.ts'
import { newTotpSecret, totpOf } from './totp.ts'

type Parts = Pick<Ctx, 'db' | 'config'>

/** Gives a member a second factor, in the format that the sign-in checks. Refuses to work outside a demo. */
export async function giveSecondFactor({ db, config }: Parts, memberId: string) {
  requireDemo(config)
  await db
    .insertInto('twoFactorSecrets')
    .values({
      id: newId(),
      memberId,
      secret: await seal(config, newTotpSecret()),
      backupCodes: await sealCodes(config, newRecoveryCodes()),
      verified: true,
    })
    .execute()
  await setTwoFactor({ db }, memberId, true)
}

export type StaffCode = {
  name: string
  email: string
  role: string
  /** Null without a second factor. */
  code: string | null
}

/** The present code of everyone in the demo's staff, support first. Refuses to work outside of a demo. */
export async function listStaffCodes({ db, config }: Parts, now: number): Promise<StaffCode[]> {
  requireDemo(config)
  const staff = await db
    .selectFrom('members')
    .leftJoin('twoFactorSecrets', (join) =>
      join.onRef('memberId', '=', 'members.id').on('verified', '=', true),
    )
    .select(['displayName as name', 'email', 'role', 'secret'])
    .where('role', 'in', ['support', 'admin'])
    .where('email', 'like', '%@evenhand.example')
    .where('erasedAt', 'is', null)
    .orderBy('role', 'desc')
    .orderBy('email')
    .execute()
  const step = Math.floor(now / 30_000)
  return Promise.all(
    staff.map(async ({ secret, ...person }) => ({
      ...person,
      code: secret === null ? null : totpOf(await unseal(config, secret), step),
    })),
  )
}

function requireDemo({ mode }: Parts['config']) {
  if (mode !== 'demo') throw new Error('Only a demo has staff whose second factors are known.')
}

import type { client } from '#web/api.ts'

/** The server's answer about a confirmation link. */
export type LinkRead = Awaited<ReturnType<typeof client.accounts.readVerification>>

/** Shows the account that a link would confirm. */
export function LinkFacts({ link }: { link: LinkRead }) {
  return (
    <dl
      className={
        'mb-5 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 ' +
        'rounded-10 border border-line bg-sunken px-3.5 py-3 text-14'
      }
    >
      <dt className="text-ink-2">Email</dt>
      <dd className="font-medium break-all text-ink">{link.maskedEmail}</dd>
      <dt className="text-ink-2">Username</dt>
      <dd className="font-medium break-all text-ink">{link.username}</dd>
    </dl>
  )
}

// The staff of the demo: how to sign in as one of them, with the present code of their second factor. It is
// mounted with the demo mailbox, so it exists in demo mode only.
import { demoPassword } from '#db/seed/cast.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { listStaffCodes } from '#server/sign-in/demo-second-factors.ts'
import type { StaffCode } from '#server/sign-in/demo-second-factors.ts'
import { Frame, page } from './frame.tsx'

/** `/dev/staff` for people, `/dev/staff.json` for scripts. */
export function mountStaffPage(app: HttpApp) {
  app.get('/dev/staff', async (c) => {
    const now = Date.now()
    const staff = await listStaffCodes(c.get('ctx'), now)
    return page(c, <StaffPage staff={staff} seconds={30 - (Math.floor(now / 1000) % 30)} />)
  })
  app.get('/dev/staff.json', async (c) => c.json(await listStaffCodes(c.get('ctx'), Date.now())))
}

function StaffPage({ staff, seconds }: { staff: StaffCode[]; seconds: number }) {
  return (
    // It loads again when the codes change.
    <Frame title="Demo staff" refreshes={seconds}>
      <h1>Demo staff</h1>
      <p className="quiet">
        Sign in with the password <code>{demoPassword}</code> and the code. Each code works once and changes
        every 30 seconds; this page loads again in {seconds}.
      </p>
      <ol className="mails">
        {staff.map(({ name, email, role, code }) => (
          <li key={email} className="person">
            <span className="subject">
              {name}, {role}
            </span>
            <span className="to">{email}</span>
            <strong className="code">{code ?? 'Sets up two-factor at the first visit'}</strong>
          </li>
        ))}
      </ol>
      <p className="quiet">
        A morning waits for them in <a href="/admin/support">Support</a>,{' '}
        <a href="/admin/moderation">Moderation</a>, <a href="/admin/marketplaces">Marketplaces</a> and{' '}
        <a href="/admin/health">Health</a>.
      </p>
    </Frame>
  )
}

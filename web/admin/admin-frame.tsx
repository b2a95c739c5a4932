import { useLocation } from '@tanstack/react-router'
import { Banknote, Handshake, HeartPulse, Inbox, Scale, ScrollText, Store, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { displayNameOf } from '#contract/members.ts'
import type { Me } from '#contract/members.ts'
import { mayCall, rights } from '#contract/rights.ts'
import type { Right } from '#contract/rights.ts'
import { Frame } from '#web/kit/frames/frame.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { OfflineBar } from '#web/kit/ui/offline-bar.tsx'
import { paths } from '#web/paths.ts'
import { useSignOut } from '#web/sign-in/sign-out.ts'

/** The frame around every page of the staff area. */
export function AdminFrame({ me, children }: { me: Me; children: ReactNode }) {
  const { mutate: signOut, isPending } = useSignOut()
  return (
    <Frame
      home={paths.dashboard()}
      sections={[{ label: 'Staff area', items: useItems(me) }]}
      person={{
        name: displayNameOf(me),
        email: me.email,
        avatar: me.avatar && paths.avatar(me.avatar, 64),
      }}
      search={
        <p data-title className="truncate text-16 font-semibold text-ink">
          Admin Dashboard
        </p>
      }
      account={
        <>
          <span className="truncate text-13 text-ink-2 max-sm:hidden">{me.email}</span>
          <Button size="sm" busy={isPending} onClick={() => signOut()}>
            Sign Out
          </Button>
        </>
      }
      bar={<OfflineBar />}
      demo={me.demo}
    >
      {children}
    </Frame>
  )
}

type Item = { label: string; href: string; icon: ReactNode; needs: Right }

/** The pages, in the order of the sidebar. Each is shown to those who may make its first call. */
const items: Item[] = [
  { label: 'Users', href: paths.adminUsers(), icon: <Users />, needs: rights.users.listUsers },
  { label: 'Activity Logs', href: paths.adminLogs(), icon: <ScrollText />, needs: rights.logs.listLogs },
  {
    label: 'Support',
    href: paths.adminSupport(),
    icon: <Inbox />,
    needs: rights.supportDesk.listMessages,
  },
  { label: 'Moderation', href: paths.adminCases(), icon: <Scale />, needs: rights.cases.listCases },
  {
    label: 'Exchanges',
    href: paths.adminExchanges(),
    icon: <Handshake />,
    needs: rights.exchanges.listExchanges,
  },
  {
    label: 'Marketplaces',
    href: paths.adminMarketplaces(),
    icon: <Store />,
    needs: rights.marketplaces.listRegister,
  },
  { label: 'Money', href: paths.adminMoney(), icon: <Banknote />, needs: rights.money.getMoney },
  { label: 'Health', href: paths.adminHealth(), icon: <HeartPulse />, needs: rights.health.getProcesses },
]

function useItems({ role }: Me) {
  const isHere = useIsHere()
  return items
    .filter(({ needs }) => mayCall(needs, role))
    .map(({ needs: _needs, ...item }) => ({ ...item, current: isHere(item) }))
}

/** The name of the page at this address if only admins see it and this member of staff is none. */
export function useBarredPage({ role }: Me): string | null {
  const isHere = useIsHere()
  return items.find((item) => isHere(item) && !mayCall(item.needs, role))?.label ?? null
}

function useIsHere() {
  const here = useLocation({ select: ({ pathname }) => pathname })
  return ({ href }: Pick<Item, 'href'>) => here === href || here.startsWith(`${href}/`)
}

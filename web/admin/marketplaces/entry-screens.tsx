import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { displayNameOf } from '#contract/members.ts'
import type { RegisterEntry } from '#contract/staff/marketplaces.ts'
import { useSession } from '#web/accounts/session.ts'
import { serverNow } from '#web/kit/time.ts'
import { Page } from '#web/kit/ui/page.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { staffApi, staffClient } from '../api.ts'
import { EntryForm } from './entry-form.tsx'
import { newValues, valuesOf } from './entry-values.ts'
import { EntryMissing, EntrySkeleton } from './entry-states.tsx'

const register = [{ label: 'Marketplaces', href: paths.adminMarketplaces() }]

/** Lists a marketplace. */
export function NewMarketplaceScreen() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const session = useSession()
  const reader = session.state === 'authed' ? displayNameOf(session.me) : ''
  const [values] = useState(() => newValues(reader, new Date(serverNow())))
  return (
    <Page>
      <PageHeader
        title="Add marketplace"
        help="Read its policy first. Once it is listed, members can connect products of it."
        breadcrumb={register}
      />
      <EntryForm
        id={null}
        defaultValues={values}
        submitLabel="Add marketplace"
        cancelHref={paths.adminMarketplaces()}
        onSubmit={async (given) => {
          const { id } = await staffClient.marketplaces.addMarketplace(given)
          toast({ title: `${given.entry.name} is listed`, tone: 'success' })
          await queries.invalidateQueries({ queryKey: staffApi.marketplaces.key() })
          void navigate({ to: paths.adminMarketplace(id) })
        }}
      />
    </Page>
  )
}

/** Changes an entry. */
export function EditMarketplaceScreen({ id }: { id: string }) {
  const query = useQuery(staffApi.marketplaces.getRegisterEntry.queryOptions({ input: { id } }))
  if (query.data) return <Edit found={query.data} />
  return query.isError ? <EntryMissing query={query} /> : <EntrySkeleton />
}

function Edit({ found }: { found: RegisterEntry }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  // The version that was read when the form was filled: a change in the meantime is refused.
  const [{ id, version, entry, lane }] = useState(found)
  const [values] = useState(() => valuesOf(entry))
  return (
    <Page>
      <PageHeader
        title={`Change ${entry.name}`}
        help="The entry before stays in the register."
        breadcrumb={[...register, { label: entry.name, href: paths.adminMarketplace(id) }]}
      />
      <EntryForm
        id={id}
        defaultValues={values}
        isClosed={lane === 'closed'}
        submitLabel="Save changes"
        cancelHref={paths.adminMarketplace(id)}
        onSubmit={async (given) => {
          await staffClient.marketplaces.editMarketplace({ id, version, ...given })
          toast({ title: 'Entry saved', tone: 'success' })
          await queries.invalidateQueries({ queryKey: staffApi.marketplaces.key() })
          void navigate({ to: paths.adminMarketplace(id) })
        }}
      />
    </Page>
  )
}

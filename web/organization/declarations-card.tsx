import { Handshake, Swords, Users } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { declarationEndDays } from '#contract/organization.ts'
import type { Declaration, DeclarationKind, Organization } from '#contract/organization.ts'
import { client } from '#web/api.ts'
import { formatDate } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ConfirmDialog } from '#web/kit/ui/confirm-dialog.tsx'
import { AddDialog } from './add-dialog.tsx'
import { fullReason, useChangeOfOrganization } from './organization.ts'

type DeclarationsCardProps = { kind: DeclarationKind; organization: Organization; children?: ReactNode }

/** What I declared of one kind: each entry with its state, and how to remove or keep it. */
export function DeclarationsCard({ kind, organization, children }: DeclarationsCardProps) {
  const [isAdding, setAdding] = useState(false)
  const { title, help, empty, icon } = texts[kind]
  const mine = organization.declarations.filter((declaration) => declaration.kind === kind)
  return (
    <Card
      title={title}
      help={help}
      padding="none"
      action={
        <Button
          size="sm"
          aria-label={`Add to ${title.toLowerCase()}`}
          disabledReason={fullReason(organization)}
          onClick={() => setAdding(true)}
        >
          Add
        </Button>
      }
    >
      {mine.length === 0 ? (
        <p
          className={
            'flex items-center gap-3 px-5 py-6 text-14 text-pretty text-ink-2 ' +
            '[&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-ink-3'
          }
        >
          {icon}
          {empty}
        </p>
      ) : (
        <ul aria-label={title} className="divide-y divide-line">
          {mine.map((declaration) => (
            <DeclarationRow key={declaration.id} declaration={declaration} />
          ))}
        </ul>
      )}
      {children}
      <AddDialog kind={kind} open={isAdding} onOpenChange={setAdding} />
    </Card>
  )
}

function DeclarationRow({ declaration }: { declaration: Declaration }) {
  const { id, createdAt, endsAt } = declaration
  const [isAsking, setAsking] = useState(false)
  const keep = useChangeOfOrganization(() => client.organization.keepDeclaration({ id }), 'The entry stays')
  const remove = useChangeOfOrganization(
    () => client.organization.removeDeclaration({ id }),
    `The entry ends in ${declarationEndDays} days`,
  )
  const name = nameOf(declaration)
  return (
    <li className="flex items-start justify-between gap-4 px-5 py-4">
      <div className="min-w-0">
        <p className="text-14 font-medium wrap-anywhere text-ink">{name}</p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-13 text-ink-2">
          {endsAt ? (
            <span>
              Removed, ends on <time dateTime={endsAt}>{formatDate(endsAt)}</time>
            </span>
          ) : (
            <span>
              Since <time dateTime={createdAt}>{formatDate(createdAt)}</time>
            </span>
          )}
          {declaration.kind === 'household' ? <AnswerBadge answer={declaration.answer} /> : null}
        </p>
      </div>
      {endsAt ? (
        <Button
          size="sm"
          aria-label={`Keep ${name}`}
          busy={keep.isPending}
          onClick={() => keep.mutate(undefined)}
        >
          Keep
        </Button>
      ) : (
        <Button size="sm" variant="ghost" aria-label={`Remove ${name}`} onClick={() => setAsking(true)}>
          Remove
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Remove ${name}?`}
        description={
          `You still aren’t matched for ${declarationEndDays} days, and the entry counts until then. ` +
          'You can keep it in the meantime.'
        }
        confirmLabel="Remove"
        busyLabel="Removing..."
        onConfirm={() => remove.mutateAsync(undefined)}
      />
    </li>
  )
}

function AnswerBadge({ answer }: Pick<Declaration, 'answer'>) {
  if (answer === 'confirmed') return <Badge tone="success">Confirmed</Badge>
  return answer === 'denied' ? <Badge tone="warning">They disagree</Badge> : <Badge>Not answered yet</Badge>
}

function nameOf({ namedAs }: Declaration): string {
  return namedAs.includes('.') ? namedAs : `@${namedAs}`
}

const texts: Record<DeclarationKind, { title: string; help: string; empty: string; icon: ReactNode }> = {
  household: {
    title: 'Household and team',
    help: 'Members who live or work with you. They’re asked to confirm it.',
    empty: 'No one yet. Name each member who lives with you or works on your shop.',
    icon: <Users aria-hidden="true" />,
  },
  conflict: {
    title: 'Conflicts of interest',
    help: 'Friends, customers, partners: members you can’t review fairly.',
    empty: 'None declared. The other side never sees this list.',
    icon: <Handshake aria-hidden="true" />,
  },
  competitor: {
    title: 'Competitors',
    help: 'Members, shops or listings that compete with yours.',
    empty: 'None declared. The other side never sees this list.',
    icon: <Swords aria-hidden="true" />,
  },
}

import { Check, Eye, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { count } from '#contract/format.ts'
import type { Exchange, ExchangeProof, ExchangeVersion } from '#contract/staff/exchanges.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { StarRating } from '#web/kit/ui/star-rating.tsx'
import { paths } from '#web/paths.ts'
import { laneLabels } from '../marketplaces/marketplace-labels.ts'
import { diffTexts } from './text-diff.ts'

type Review = NonNullable<Exchange['review']>

/** The texts, the newest first, each with what changed since the one before. */
export function Versions({ review }: { review: Review }) {
  const newest = review.versions.toReversed()
  return (
    <Card
      title="Text"
      help={
        review.status === 'verified'
          ? 'Every version that was submitted.'
          : 'Every version that was submitted. The stars are shown once the review is verified.'
      }
    >
      {newest.length === 0 ? (
        <p className="text-14 text-ink-2">Nothing was submitted yet.</p>
      ) : (
        <ol className="flex flex-col gap-6">
          {newest.map((version) => (
            <Version
              key={version.version}
              version={version}
              before={review.versions.find((one) => one.version === version.version - 1)}
            />
          ))}
        </ol>
      )}
    </Card>
  )
}

type VersionProps = { version: ExchangeVersion; before: ExchangeVersion | undefined }

function Version({ version, before }: VersionProps) {
  return (
    <li className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-14 font-semibold text-ink">Version {version.version}</h3>
        {version.lane ? <Badge>{laneLabels[version.lane].label}</Badge> : null}
        {version.aiAssisted ? <Badge tone="info">Used AI for grammar</Badge> : null}
        {version.rating === null ? null : <StarRating value={version.rating} showValue={false} />}
        <time dateTime={version.at} className="text-12 text-ink-3">
          {formatDateTime(version.at)}
        </time>
      </div>
      <Changed before={before?.text} after={version.text} />
      <dl className="grid gap-x-4 gap-y-1 text-13 sm:grid-cols-[auto_1fr]">
        <dt className="text-ink-3">Used it for</dt>
        <dd className="wrap-anywhere text-ink-2">{version.usedFor}</dd>
        <dt className="text-ink-3">Should not buy it</dt>
        <dd className="wrap-anywhere text-ink-2">{version.notFor}</dd>
      </dl>
    </li>
  )
}

/** A text with what was added and removed since the one before. */
function Changed({ before, after }: { before: string | undefined; after: string }) {
  const pieces = before === undefined ? [{ text: after, in: 'both' as const }] : diffTexts(before, after)
  return (
    <p className="max-w-reading text-14 wrap-anywhere whitespace-pre-line text-ink">
      {pieces.map((piece, at) =>
        piece.in === 'both' ? (
          piece.text
        ) : piece.in === 'after' ? (
          <ins key={at} className="bg-success-soft text-success-ink">
            {piece.text}
          </ins>
        ) : (
          <del key={at} className="bg-danger-soft text-danger-ink">
            {piece.text}
          </del>
        ),
      )}
    </p>
  )
}

/** The checks of the newest text. They inform; a person decides. */
export function Checks({ checks }: Pick<Review, 'checks'>) {
  if (checks.length === 0) return null
  return (
    <Card title="Checks" help="For information only. A person decides.">
      <ul className="flex flex-col gap-3">
        {checks.map(({ label, passed, detail }) => (
          <li key={label} className="flex items-start gap-2.5 text-14">
            {passed ? (
              <Check size={16} aria-label="Passed" className="mt-0.5 shrink-0 text-success-ink" />
            ) : (
              <TriangleAlert
                size={16}
                aria-label="Look at this"
                className="mt-0.5 shrink-0 text-warning-ink"
              />
            )}
            <span>
              <span className="font-medium text-ink">{label}.</span>{' '}
              <span className="text-ink-2">{detail}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type ProofsProps = {
  proofs: ExchangeProof[]
  /** The buttons of the current proof. */
  actions: (proof: ExchangeProof) => ReactNode
}

/** The proofs of the purchase, with their pictures in a frame that can run nothing. */
export function Proofs({ proofs, actions }: ProofsProps) {
  return (
    <Card title="Proof of purchase" help="Looking at a picture is recorded.">
      {proofs.length === 0 ? (
        <p className="text-14 text-ink-2">The purchase is not proven yet.</p>
      ) : (
        <ol className="flex flex-col gap-5">
          {proofs.toReversed().map((proof) => (
            <Proof key={proof.id} proof={proof}>
              {actions(proof)}
            </Proof>
          ))}
        </ol>
      )}
    </Card>
  )
}

const proofStates = {
  stored: ['info', 'Current'],
  replaced: ['neutral', 'Replaced'],
  deleted: ['neutral', 'Deleted'],
  refused: ['danger', 'Refused'],
} as const

function Proof({ proof, children }: { proof: ExchangeProof; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const [tone, label] = proofStates[proof.state]
  return (
    <li className="flex flex-col gap-2 text-14">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium text-ink">
          {proof.orderId ? `Order ${proof.orderId}` : proof.kind === 'order' ? 'Order number' : 'Screenshot'}
        </span>
        <Badge tone={tone}>{label}</Badge>
        {proof.checkedAt ? <Badge tone="success">Accepted by staff</Badge> : null}
        <time dateTime={proof.at} className="text-12 text-ink-3">
          {formatDateTime(proof.at)}
        </time>
      </div>
      {proof.similar.length > 0 ? (
        <p className="text-13 text-warning-ink">
          It looks almost like a proof of{' '}
          {proof.similar.map((id, at) => (
            <span key={id}>
              {at > 0 ? ', ' : ''}
              <TextLink href={paths.adminExchange(id)}>another exchange</TextLink>
            </span>
          ))}
          .
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {proof.hasPicture ? (
          <Button size="sm" icon={<Eye />} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide the picture' : 'Show the picture'}
          </Button>
        ) : null}
        {children}
      </div>
      {isOpen ? (
        <iframe
          title="Proof of purchase"
          sandbox=""
          referrerPolicy="no-referrer"
          src={paths.proofInFrame(proof.id)}
          className="h-[28rem] w-full rounded-8 border border-line bg-white"
        />
      ) : null}
    </li>
  )
}

/** How each offer was drawn. */
export function Draws({ offers }: Pick<Exchange, 'offers'>) {
  const drawn = offers.flatMap(({ id, to, draw }) => (draw ? [{ id, to, draw }] : []))
  if (drawn.length === 0) return null
  return (
    <Card title="Draws" help="The evidence that anyone concerned can check.">
      <ol className="flex flex-col gap-4">
        {drawn.map(({ id, to, draw }) => (
          <li key={id} className="text-13 text-ink-2">
            <p className="text-14 font-medium text-ink">
              {to.name}, draw {draw.passNo} of chain {draw.chain}
            </p>
            <p>
              {count(draw.requests, 'request')} and {count(draw.candidates, 'candidate')}; {draw.matched}{' '}
              matched
              {draw.slot === null ? '' : `; place ${draw.slot + 1} in the window`}.
            </p>
            {draw.skipped.length > 0 ? (
              <p>
                Passed over:{' '}
                {draw.skipped
                  .map(({ slot, reason }) => `place ${slot + 1} (${reason.replaceAll('_', ' ')})`)
                  .join(', ')}
                .
              </p>
            ) : null}
            <p className="font-mono text-12 break-all text-ink-3">{draw.hash}</p>
          </li>
        ))}
      </ol>
    </Card>
  )
}

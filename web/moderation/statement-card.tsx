import type { ReactNode } from 'react'
import type { Statement } from '#contract/moderation.ts'

/** A statement of reasons, part by part. */
export function StatementParts({ statement }: { statement: Statement }) {
  const { what, rule, evidence, automated, effect, appeal } = statement
  return (
    <dl className="flex flex-col gap-4 text-14">
      <Part name="What was decided">{what}</Part>
      {rule === null ? null : <Part name="The rule">{rule}</Part>}
      <Part name="What it is based on">{evidence}</Part>
      <Part name="Who decided">{automated}</Part>
      {effect === '' ? null : <Part name="What follows">{effect}</Part>}
      {appeal === null ? null : <Part name="How to appeal">{appeal}</Part>}
    </dl>
  )
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-13 text-ink-3">{name}</dt>
      <dd className="mt-0.5 max-w-reading wrap-anywhere whitespace-pre-line text-ink">{children}</dd>
    </div>
  )
}

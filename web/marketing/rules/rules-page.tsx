import { demoDifferences } from '#contract/demo.ts'
import { days } from '#contract/format.ts'
import type { PageGiven } from '#contract/pages.ts'
import type { PublicStatistics } from '#contract/site.ts'
import { Sections } from '#web/articles/sections.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { MarketplaceList } from '#web/marketing/marketplace-list.tsx'
import { PageBand, PageHead } from '#web/marketing/frame/page-head.tsx'
import { listRules, marketplaceList } from './rules.ts'
import type { Rule } from './rule.ts'

/** The rules of the club with their figures, from the constants it runs on. */
export function RulesPage({ demo, payments, marketplaces, figures }: PageGiven) {
  const groups = listRules(undefined, payments)
  return (
    <>
      <PageHead
        title="The rules"
        lead={
          'Every number on this page comes from the settings the club runs on. When one changes, so ' +
          'does this page.'
        }
      >
        {demo ? (
          <p className="mt-4 max-w-[58ch] text-14 text-pretty text-ink-3">
            This is a demo club. <TextLink href={`#${demoList}`}>What differs here</TextLink>
          </p>
        ) : null}
      </PageHead>
      <PageBand className="pb-20 sm:pb-28">
        <Sections
          sections={[
            ...(demo ? [{ id: demoList, title: demoTitle }] : []),
            ...groups,
            { id: marketplaceList, title: 'The list of marketplaces' },
          ]}
        >
          {demo ? <DemoDifferences payments={payments} /> : null}
          {groups.map(({ id, title, lead, rules }) => (
            <section key={id} aria-labelledby={id} className="not-first:mt-14">
              <h2 id={id} className="scroll-mt-24 text-22 font-semibold text-ink">
                {title}
              </h2>
              <p className="mt-2 max-w-reading text-16 text-pretty text-ink-2">{lead}</p>
              <dl className="mt-5 overflow-hidden rounded-12 border border-line bg-surface">
                {rules.map((rule) => (
                  <RuleRow key={`${rule.figure} ${rule.name}`} rule={rule} />
                ))}
              </dl>
              {id === 'rotation' ? <PairWindowNow window={figures?.pairWindow} /> : null}
            </section>
          ))}
          <MarketplaceList marketplaces={marketplaces} demo={demo} />
        </Sections>
      </PageBand>
    </>
  )
}

/** The pair window as the club measured it last. */
function PairWindowNow({ window }: { window: PublicStatistics['pairWindow'] }) {
  if (!window) return null
  const { same, reverse } = window
  return (
    <p className="mt-4 max-w-reading text-14 text-pretty text-ink-2">
      {same === null || reverse === null
        ? 'Right now, two members exchange a review once and never again.'
        : `Right now, a member can review another again after ${days(same)}, and the two can change sides ` +
          `after ${days(reverse)}.`}
    </p>
  )
}

const demoList = 'demo'
const demoTitle = 'Different in this demo club'

function DemoDifferences({ payments }: Pick<PageGiven, 'payments'>) {
  const holding = demoDifferences.filter(
    ({ where }) => !where || (where === 'closed') === (payments === 'closed'),
  )
  return (
    <section aria-labelledby={demoList}>
      <h2 id={demoList} className="scroll-mt-24 text-22 font-semibold text-ink">
        {demoTitle}
      </h2>
      <p className="mt-2 max-w-reading text-16 text-pretty text-ink-2">
        So that you can try everything in minutes. All other rules hold as they do in a real club.
      </p>
      <dl className="mt-5 overflow-hidden rounded-12 border border-accent-line bg-surface">
        {holding.map(({ name, sentence }) => (
          <div
            key={name}
            className={
              'grid gap-x-6 gap-y-1 border-line px-5 py-4 not-first:border-t ' +
              'sm:grid-cols-[11rem_minmax(0,1fr)]'
            }
          >
            <dt className="text-16 font-semibold text-ink">{name}</dt>
            <dd className="text-14 text-pretty text-ink-2 sm:leading-6">{sentence}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function RuleRow({ rule: { figure, name, sentence } }: { rule: Rule }) {
  return (
    <div
      className={cx(
        'grid gap-x-6 gap-y-1 border-line px-5 py-4 not-first:border-t',
        'sm:grid-cols-[11rem_minmax(0,1fr)]',
      )}
    >
      <dt className="tabular text-16 font-semibold text-ink">{figure}</dt>
      <dd className="min-w-0">
        <p className="text-16 font-medium text-ink">{name}</p>
        <p className="mt-0.5 text-14 text-pretty text-ink-2">{sentence}</p>
      </dd>
    </div>
  )
}

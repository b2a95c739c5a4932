import { expect, test } from 'vitest'
import { demoDifferences } from '#contract/demo.ts'
import { readSources } from './sources.ts'

/**
 * Why each of these files asks for the mode: a difference that /rules names, or null where no one notices.
 */
const reasons: Record<string, string | null> = {
  'server/worker.ts': 'Made-up members',
  'server/demo/simulator.ts': 'Made-up members',
  'server/app.ts': 'A made-up shop',
  'server/demo/shop.tsx': 'A made-up shop',
  'server/membership/memberships.ts': 'No payments',
  'server/kit/config.ts': 'Time of use',
  'server/kit/mail/mail.ts': 'Email',
  'server/dev/mailbox.tsx': 'Email',
  // Shows codes in a demo only.
  'server/sign-in/demo-second-factors.ts': null,
  'server/accounts/limits.ts': 'Limits',
  'server/kit/http/http.ts': 'Limits',
  // They pass it on to the pages and screens.
  'server/members/reads.ts': null,
  'server/site/pages.ts': null,
  // How the processes start and stop.
  'server/main.ts': null,
}

test('everything that a demo club does differently is among the rules, or on no one’s way', () => {
  const asking = readSources(['server'])
    .filter(({ path, text }) => !/\.test\.tsx?$/.test(path) && /mode [!=]== '(demo|production)'/.test(text))
    .map(({ path }) => path)
  expect(asking.toSorted()).toEqual(Object.keys(reasons).toSorted())
  const named = demoDifferences.map(({ name }) => name)
  for (const reason of Object.values(reasons)) if (reason) expect(named).toContain(reason)
})

import { renderToString } from 'react-dom/server'
import type { PageGiven } from '#contract/pages.ts'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { PageBand, PageHead } from '#web/marketing/frame/page-head.tsx'
import { paths } from '#web/paths.ts'
import { DrawCheck } from './draw-check.tsx'
import { checkIds } from './ids.ts'
import { ScriptCard } from './script-card.tsx'

/** Checks a draw in the reader's own browser. Its script makes the part work that is marked for it. */
export function CheckPage({ signedIn, demo }: PageGiven) {
  const form = <DrawCheck checker={null} signedIn={signedIn} />
  return (
    <>
      <PageHead
        title="Check a draw"
        lead={
          'Every request and every offer has a receipt. This page computes the draw again in your ' +
          'browser and says for each step whether it holds. A receipt isn’t signed: who it is for, the ' +
          'number of its request and when it was saved are for your own order, and no step depends on them.' +
          (demo ? ' Most exchanges from before this demo club was started are made up and have none.' : '')
        }
      />
      <PageBand className="pb-16 sm:pb-20">
        <noscript>
          <p className="rounded-10 border border-line bg-sunken px-5 py-4 text-16 text-ink-2">
            Checking on this page needs JavaScript. The script below does the same on your computer.
          </p>
        </noscript>
        <output
          className="mx-auto mb-4 block max-w-[52rem] text-16 text-ink-2 empty:hidden"
          data-draw-check-state
        />
        <div
          className="needs-script mx-auto max-w-[52rem]"
          data-draw-check
          data-signed-in={signedIn}
          // In the form that the browser can take over, unlike the page around it.
          dangerouslySetInnerHTML={{ __html: renderToString(form, { identifierPrefix: checkIds }) }}
        />
        <div className="mx-auto mt-14 max-w-[52rem] border-t border-line pt-12">
          <h2 className="text-28 font-semibold text-ink">Without this page</h2>
          <p className="mt-3 max-w-[62ch] text-16 text-pretty text-ink-2">
            You don’t have to trust our page either. This script shares no code with it, is one file you can
            read, and needs nothing but{' '}
            <TextLink href="https://nodejs.org" external>
              Node.js
            </TextLink>
            . Save it, your receipt,{' '}
            <TextLink href={paths.drawDaysFile()} download>
              the public list
            </TextLink>{' '}
            and the file of <TextLink href={paths.drawDays()}>the day of the draw</TextLink> in one folder,
            and name your files in the command. The receipt of the first day is enough: once the secret is
            published, save the list and the day’s file again.
          </p>
          <ScriptCard
            name="verify-draw.mjs"
            href={paths.drawScript()}
            command="node verify-draw.mjs my-receipt.json --days draws.json --day my-day.json"
            output="✓ The file is a receipt of a draw."
            last="Every step holds. Nothing was found wrong."
          />
          <p className="mt-8 max-w-[62ch] text-16 text-pretty text-ink-2">
            A second script checks a signed statement of your ledger, with{' '}
            <TextLink href={paths.ledgerSeals()}>the seals</TextLink> and{' '}
            <TextLink href={paths.signingKeys()}>the keys</TextLink> of the club.
          </p>
          <ScriptCard
            name="verify-ledger.mjs"
            href={paths.ledgerScript()}
            command="node verify-ledger.mjs statement.json seals.json keys.json"
            output="Seals: 30 checked, all right"
            last="Statement: 12 checked, all right"
          />
        </div>
      </PageBand>
    </>
  )
}

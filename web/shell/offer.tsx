import { lazy, Suspense } from 'react'
import type { ComponentType } from 'react'

const parts = import.meta.glob<Record<string, ComponentType>>('../matching/offer-{indicator,dialog}.tsx')

/** The offer that waits for an answer, in the top bar. */
export function OfferIndicator() {
  return <Part of={Indicator} />
}

/** The window in which an offer is answered. It opens by itself when one arrives. */
export function OfferDialog() {
  return <Part of={Dialog} />
}

const Indicator = part('../matching/offer-indicator.tsx', 'OfferIndicator')
const Dialog = part('../matching/offer-dialog.tsx', 'OfferDialog')

function part(file: string, name: string) {
  const load = parts[file]
  return load ? lazy(async () => ({ default: (await load())[name] ?? Nothing })) : Nothing
}

function Nothing() {
  return null
}

function Part({ of: Shown }: { of: ComponentType }) {
  return (
    <Suspense fallback={null}>
      <Shown />
    </Suspense>
  )
}

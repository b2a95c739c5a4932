import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

type TabsProps<T extends string> = {
  tabs: readonly { value: T; label: string; count?: number }[]
  value: T
  onValueChange: (value: T) => void
  /** Names the choice, for screen readers. */
  label: string
  /** The content of the chosen tab. */
  children: ReactNode
}

/** Views of one page. The caller stores the chosen one, since it belongs in the URL. */
export function Tabs<T extends string>({ tabs, value, onValueChange, label, children }: TabsProps<T>) {
  return (
    // Base UI returns one of the values passed to it below.
    <BaseTabs.Root value={value} onValueChange={(next) => onValueChange(next as T)}>
      <BaseTabs.List
        aria-label={label}
        className="relative flex gap-5 overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className={
              'relative flex h-10 shrink-0 items-center gap-1.5 text-14 text-ink-2 ' +
              'transition-colors hover:text-ink focus-visible:outline-offset-[-2px] ' +
              'data-active:font-semibold data-active:text-ink pointer-coarse:h-11'
            }
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span className="tabular rounded-full bg-pressed px-1.5 text-12 font-medium text-ink-2">
                {tab.count}
              </span>
            )}
          </BaseTabs.Tab>
        ))}
        <BaseTabs.Indicator
          className={
            'absolute bottom-0 left-0 h-0.5 w-(--active-tab-width) translate-x-(--active-tab-left) ' +
            'rounded-full bg-accent transition-[translate,width] duration-(--calm) ' +
            'forced-colors:bg-[Highlight]'
          }
        />
      </BaseTabs.List>
      <BaseTabs.Panel value={value} className="pt-5">
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  )
}

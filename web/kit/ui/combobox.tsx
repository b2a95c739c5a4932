import { Combobox as BaseCombobox } from '@base-ui/react/combobox'
import { Check, ChevronsUpDown } from 'lucide-react'
import { useControl } from '../form-context.ts'
import { usePortalHome } from './portal-home.ts'

export type ComboboxOption = { value: string; label: string; hint?: string }

type ComboboxProps = {
  options: readonly ComboboxOption[]
  value?: string
  onValueChange?: (value: string) => void
  placeholder?: string
  /** Shown when no option matches the typed text. */
  nothing: string
}

/**
 * One choice of a long list, found by typing a part of it. Typed text that is not chosen is dropped on blur.
 */
export function Combobox({ options, value, onValueChange, placeholder, nothing }: ComboboxProps) {
  const home = usePortalHome()
  const [chosen, setChosen] = useControl({ value, onValueChange }, '')
  return (
    <BaseCombobox.Root
      items={options}
      value={options.find((option) => option.value === chosen) ?? null}
      onValueChange={(next: ComboboxOption | null) => {
        // An empty input searches all options; it does not clear the choice.
        if (next) setChosen(next.value)
      }}
      isItemEqualToValue={(one: ComboboxOption, other: ComboboxOption) => one.value === other.value}
      autoHighlight
    >
      <BaseCombobox.InputGroup className="relative has-aria-expanded:z-61">
        <BaseCombobox.Input
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
          className="control h-9 pr-10 pl-3 pointer-coarse:h-10"
        />
        <BaseCombobox.Trigger
          // Only for the pointer: for the keyboard and screen readers, the input opens the list.
          tabIndex={-1}
          aria-hidden="true"
          className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded-8 text-ink-3"
        >
          <ChevronsUpDown size={14} aria-hidden="true" />
        </BaseCombobox.Trigger>
      </BaseCombobox.InputGroup>
      <BaseCombobox.Portal container={home}>
        {/* Invisible. It catches presses outside and marks the rest of the page as covered for checkers. */}
        <BaseCombobox.Backdrop className="fixed inset-0 z-60" />
        <BaseCombobox.Positioner sideOffset={4} align="start" collisionPadding={8} className="z-70">
          <BaseCombobox.Popup className="floating popup w-(--anchor-width) rounded-10">
            <BaseCombobox.Empty className="px-3.5 py-3 text-14 text-ink-2 empty:hidden">
              {nothing}
            </BaseCombobox.Empty>
            <BaseCombobox.List
              className={'max-h-[min(20rem,var(--available-height))] ' + 'overflow-y-auto p-1 empty:hidden'}
            >
              {(option: ComboboxOption) => (
                <BaseCombobox.Item
                  key={option.value}
                  value={option}
                  className={
                    'relative flex min-h-8 cursor-default items-center gap-3 ' +
                    'rounded-6 py-1.5 pr-8 pl-2.5 text-14 outline-none select-none ' +
                    'data-highlighted:bg-sunken pointer-coarse:min-h-10'
                  }
                >
                  <span className="min-w-0 flex-1 truncate">{option.label}</span>
                  {option.hint ? <span className="shrink-0 text-12 text-ink-3">{option.hint}</span> : null}
                  <BaseCombobox.ItemIndicator className="absolute right-2.5 flex text-accent-ink">
                    <Check size={14} aria-hidden="true" />
                  </BaseCombobox.ItemIndicator>
                </BaseCombobox.Item>
              )}
            </BaseCombobox.List>
          </BaseCombobox.Popup>
        </BaseCombobox.Positioner>
      </BaseCombobox.Portal>
    </BaseCombobox.Root>
  )
}

import { Select as BaseSelect } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useControl } from '../form-context.ts'
import { cx } from './cx.ts'
import { usePortalHome } from './portal-home.ts'

type SelectOption<T extends string = string> = {
  value: T
  label: string
  icon?: ReactNode
  help?: string
}

type SelectProps<T extends string> = {
  options: readonly SelectOption<T>[]
  value?: T | null
  defaultValue?: T | null
  onValueChange?: (value: T | null) => void
  placeholder?: string
  size?: 'sm' | 'md'
  disabled?: boolean
  /** Its accessible name, if no `Field` gives it one. */
  label?: string
  className?: string
}

/** One choice of a short list; null without a choice. */
export function Select<T extends string>({
  options,
  value,
  defaultValue,
  onValueChange,
  placeholder = 'Choose…',
  size = 'md',
  disabled = false,
  label,
  className,
}: SelectProps<T>) {
  const home = usePortalHome()
  const [chosen, setChosen] = useControl<T | null>({ value, defaultValue, onValueChange }, null)
  return (
    <BaseSelect.Root
      items={options.map(({ value, label }) => ({ value, label }))}
      value={chosen || null}
      onValueChange={setChosen}
      disabled={disabled}
    >
      <BaseSelect.Trigger
        aria-label={label}
        className={cx(
          'control flex items-center justify-between gap-2 text-left select-none',
          size === 'sm' ? 'h-8 rounded-6! px-2.5 text-13!' : 'h-9 px-3 pointer-coarse:h-10',
          className,
        )}
      >
        <BaseSelect.Value className="min-w-0 truncate data-placeholder:text-ink-3" placeholder={placeholder}>
          {(current: T | null) => (
            <Chosen option={options.find((option) => option.value === current)} placeholder={placeholder} />
          )}
        </BaseSelect.Value>
        <BaseSelect.Icon className="flex shrink-0 text-ink-3">
          <ChevronsUpDown size={14} aria-hidden="true" />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal container={home}>
        {/* Invisible. It catches presses outside and marks the rest of the page as covered for checkers. */}
        <BaseSelect.Backdrop className="fixed inset-0 z-60" />
        <BaseSelect.Positioner
          sideOffset={4}
          align="start"
          collisionPadding={8}
          alignItemWithTrigger={false}
          className="z-70"
        >
          <BaseSelect.Popup
            className={
              'floating popup max-h-(--available-height) min-w-(--anchor-width) ' +
              'overflow-y-auto rounded-10 p-1'
            }
          >
            {options.map((option) => (
              <BaseSelect.Item
                key={option.value}
                value={option.value}
                label={option.label}
                className={
                  'flex min-h-8 cursor-default items-center gap-2 rounded-6 py-1.5 pr-8 pl-2.5 text-14 ' +
                  'outline-none select-none data-highlighted:bg-sunken relative pointer-coarse:min-h-10'
                }
              >
                {option.icon ? <span className="flex text-ink-3 [&_svg]:size-4">{option.icon}</span> : null}
                <span className="min-w-0">
                  <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
                  {option.help ? <span className="block text-12 text-ink-3">{option.help}</span> : null}
                </span>
                <BaseSelect.ItemIndicator className="absolute right-2.5 flex text-accent-ink">
                  <Check size={14} aria-hidden="true" />
                </BaseSelect.ItemIndicator>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  )
}

function Chosen({ option, placeholder }: { option: SelectOption | undefined; placeholder: string }) {
  if (!option) return placeholder
  return (
    <span className="flex items-center gap-2">
      {option.icon ? <span className="flex text-ink-3 [&_svg]:size-4">{option.icon}</span> : null}
      <span className="truncate">{option.label}</span>
    </span>
  )
}

import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { useControl } from '../form-context.ts'
import { cx } from './cx.ts'

type SwitchProps = {
  label: ReactNode
  help?: ReactNode
  checked?: boolean
  defaultChecked?: boolean
  onCheckedChange?: (checked: boolean) => void
  disabled?: boolean
  hideLabel?: boolean
}

/** A setting that takes effect at once, with its label on the left and the switch on the right. */
export function Switch({
  label,
  help,
  checked,
  defaultChecked,
  onCheckedChange,
  disabled = false,
  hideLabel = false,
}: SwitchProps) {
  const id = useId()
  const [on, setOn] = useControl(
    { value: checked, defaultValue: defaultChecked, onValueChange: onCheckedChange },
    false,
  )
  return (
    <label className={cx('flex items-center justify-between gap-6', !disabled && 'cursor-pointer')}>
      <span className={cx('min-w-0', hideLabel && 'sr-only')}>
        <span id={id} className="block text-14 text-ink">
          {label}
        </span>
        {help == null ? null : (
          <span id={`${id}-help`} className="block text-12 text-ink-3 text-pretty">
            {help}
          </span>
        )}
      </span>
      <BaseSwitch.Root
        checked={on}
        onCheckedChange={setOn}
        disabled={disabled}
        aria-labelledby={id}
        aria-describedby={help == null ? undefined : `${id}-help`}
        className={
          'relative flex h-6 w-10 shrink-0 items-center ' +
          'rounded-full border border-line-strong bg-sunken px-[3px] transition-colors ' +
          'data-checked:border-accent data-checked:bg-accent data-disabled:opacity-60'
        }
      >
        <BaseSwitch.Thumb
          className={
            'size-4 rounded-full bg-line-strong transition-[translate,background-color] ' +
            'data-checked:translate-x-4 data-checked:bg-on-accent forced-colors:bg-[CanvasText] ' +
            'forced-colors:data-checked:bg-[Highlight]'
          }
        />
      </BaseSwitch.Root>
    </label>
  )
}

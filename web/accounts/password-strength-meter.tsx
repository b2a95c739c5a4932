import { cx } from '#web/kit/ui/cx.ts'
import { strengthOf } from './password-strength.ts'
import type { Strength } from './password-strength.ts'

/** Shows the estimated strength of a password as four bars and a label. Renders nothing for an empty one. */
export function PasswordStrengthMeter({ password }: { password: string }) {
  const strength = strengthOf(password)
  if (strength === 'none') return null
  const { bars, word, look, ink } = looks[strength]
  return (
    <span className="flex items-center gap-2.5">
      <span aria-hidden="true" className="flex flex-1 gap-1">
        {[1, 2, 3, 4].map((bar) => (
          <span
            key={bar}
            className={cx(
              'h-1 flex-1 rounded-full transition-colors forced-colors:border',
              bar <= bars ? look : 'bg-pressed',
            )}
          />
        ))}
      </span>
      <span className={cx('min-w-24 text-right', ink)}>
        <span className="sr-only">Password strength: </span>
        {word}
      </span>
    </span>
  )
}

const looks: Record<Exclude<Strength, 'none'>, { bars: number; word: string; look: string; ink: string }> = {
  weak: { bars: 1, word: 'Easy to guess', look: 'bg-danger', ink: 'text-danger-ink' },
  fair: { bars: 2, word: 'Fair', look: 'bg-warning', ink: 'text-warning-ink' },
  good: { bars: 3, word: 'Good', look: 'bg-success', ink: 'text-success-ink' },
  strong: { bars: 4, word: 'Strong', look: 'bg-success', ink: 'text-success-ink' },
}

import { cx } from './cx.ts'

type AvatarProps = {
  name: string
  src?: string | null
  size?: 'sm' | 'md' | 'lg' | 'xl'
  className?: string
}

/** A member's picture, or else the initials of their name. Decoration beside that name. */
export function Avatar({ name, src, size = 'md', className }: AvatarProps) {
  const look = cx('inline-flex shrink-0 rounded-full select-none', sizes[size], className)
  if (src) return <img src={src} alt="" className={cx(look, 'border border-line bg-sunken object-cover')} />
  return (
    <span
      aria-hidden="true"
      // The stylesheet renders the initials, so that screen readers do not read them beside the name.
      data-initials={initialsOf(name)}
      className={cx(
        look,
        'before:content-[attr(data-initials)] items-center justify-center border border-accent-line ' +
          'bg-accent-soft font-semibold text-accent-ink',
      )}
    />
  )
}

/** The first letters of up to two words, in capitals. */
function initialsOf(name: string): string {
  return name
    .trim()
    .split(/[\s_-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32).toUpperCase())
    .join('')
}

const sizes = { sm: 'size-6 text-[10px]', md: 'size-8 text-12', lg: 'size-12 text-16', xl: 'size-20 text-28' }

// A draw as a picture: some members are left out by a rule, chance passes over the others, one is drawn. It
// plays once, and stands still where motion is not wanted. The styles are in site.css.
import type { CSSProperties, ReactNode } from 'react'
import { cx } from '#web/kit/ui/cx.ts'

const dots = 60
// Members by their place in the picture.
const leftOut = new Set([3, 8, 9, 17, 22, 26, 31, 40, 41, 47, 55, 58])
const drawn = 38
/** Where chance passes, in this order, before it stops at the drawn one. */
const passed = [12, 50, 27, 5, 44, 19, 34]

export function DrawPicture() {
  return (
    <figure className="draw min-w-0">
      <p className="sr-only">
        A picture of a draw. Of {dots} members, {leftOut.size} are left out by a rule, such as a recent
        exchange. One of the others is drawn at random to review the product.
      </p>
      <div
        aria-hidden="true"
        className={
          'forced-color-adjust-none rounded-16 border border-line ' + 'bg-surface p-5 shadow-picture sm:p-6'
        }
      >
        <p className="text-14 font-semibold text-ink">Who reviews your product?</p>
        <p className="mt-0.5 text-13 text-ink-3">One member, drawn at random</p>
        <ul className="mt-5 grid grid-cols-[repeat(12,minmax(0,1fr))] gap-y-3.5">
          {Array.from({ length: dots }, (_, place) => (
            <li key={place} className="flex h-2.5 items-center justify-center">
              <Dot place={place} />
            </li>
          ))}
        </ul>
        <ul className="mt-5 space-y-2 border-t border-line pt-4 text-13 text-ink-2">
          <Key dot={<Dot place={0} still />}>Can review it</Key>
          <Key dot={<Dot place={3} still />}>Left out: you, recent partners, owners of the product</Key>
          <Key dot={<Dot place={drawn} still />} className="draw-result font-medium text-ink">
            Drawn: 1 of {dots - leftOut.size}
          </Key>
        </ul>
      </div>
    </figure>
  )
}

function Key({ dot, className, children }: { dot: ReactNode; className?: string; children: ReactNode }) {
  return (
    <li className={cx('flex items-center gap-3', className)}>
      <span className="flex w-4 justify-center">{dot}</span>
      {children}
    </li>
  )
}

/** One member. `still` dots are in the key and never move. */
function Dot({ place, still = false }: { place: number; still?: boolean }) {
  const part = (name: string) => !still && name
  if (leftOut.has(place))
    return (
      <span className="relative flex size-2">
        <span className="absolute inset-0 rounded-full border border-line-strong" />
        <span className={cx('absolute inset-0 rounded-full bg-line-strong opacity-0', part('draw-leaves'))} />
      </span>
    )
  const turn = passed.indexOf(place)
  return (
    <span className="relative flex size-2">
      <span className="absolute inset-0 rounded-full bg-line-strong" />
      {turn >= 0 && !still ? (
        <span
          className="draw-passes absolute -inset-0.5 rounded-full bg-accent opacity-0"
          // The place in the sequence.
          style={{ '--turn': turn } as CSSProperties}
        />
      ) : null}
      {place === drawn ? (
        <span
          className={cx(
            'absolute -inset-0.5 rounded-full bg-accent ring-3 ring-accent-soft',
            part('draw-stops'),
          )}
        />
      ) : null}
    </span>
  )
}

import { useId } from 'react'
import { count, percent } from '#contract/format.ts'
import { cx } from '#web/kit/ui/cx.ts'
import type { Lottery, ReportPlace } from './report.ts'

/** The list as dots: to the right by lottery value, down by group, with the slate behind them. */
export function SlatePicture({ lottery }: { lottery: Lottery }) {
  const { share, places, more } = lottery
  const passed = lottery.passed.length
  return (
    <figure className="mt-4 rounded-12 border border-line bg-surface">
      <div className="px-4 pt-5 pb-3 sm:px-6">
        <Dots lottery={lottery} />
        <figcaption className="mt-3 text-13 text-ink-2">
          <ul className="flex flex-wrap gap-x-5 gap-y-1.5">
            <Key look="bg-accent">Got the offer</Key>
            {passed > 0 ? <Key look="bg-warning">Came before, with a reason</Key> : null}
            <Key look="bg-ink-3">In the slate</Key>
            {share < 1 ? <Key look="bg-line-strong">Outside the slate</Key> : null}
            {lottery.mine === null ? null : <Key look="ring-2 ring-info bg-surface">Your number</Key>}
          </ul>
        </figcaption>
      </div>
      <Places places={places} more={more} />
    </figure>
  )
}

function Key({ look, children }: { look: string; children: string }) {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden="true" className={cx('size-2.5 forced-color-adjust-none rounded-full', look)} />
      {children}
    </li>
  )
}

const width = 320
const left = 52
const right = 312
const top = 22
const rowHeight = 34

function Dots({ lottery }: { lottery: Lottery }) {
  const { share, groups, values, winner, passed, mine } = lottery
  const titleId = useId()
  const rows = [...new Set(groups)].toSorted((one, other) => one - other)
  const bottom = top + rows.length * rowHeight
  const isPassed = new Set(passed)
  const dot = (place: number) => ({
    x: left + (values[place] ?? 0) * (right - left),
    y: top + (rows.indexOf(groups[place] ?? 0) + 0.5) * rowHeight + lift(place),
  })
  const rest = groups.map((_, place) => place).filter((place) => place !== winner && !isPassed.has(place))
  const edge = left + share * (right - left)
  return (
    <svg
      viewBox={`0 0 ${width} ${bottom + 26}`}
      // An inline drawing, which follows the theme.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-labelledby={titleId}
      className="mx-auto h-auto w-full max-w-[25rem]"
    >
      <title id={titleId}>{describe(lottery)}</title>
      <rect x={left} y={top} width={edge - left} height={bottom - top} className="fill-accent-soft" />
      <path
        d={`M${edge} ${top}V${bottom}`}
        className="stroke-accent-line"
        strokeDasharray={share < 1 ? '3 3' : undefined}
      />
      <text
        x={Math.min(edge, right - 4)}
        y={top - 8}
        textAnchor={share > 0.7 ? 'end' : share < 0.12 ? 'start' : 'middle'}
        className="fill-accent-ink text-[12px] font-medium"
      >
        {share < 1 ? `Slate: ${percent(share)} of the club` : 'Slate: everyone'}
      </text>
      {rows.map((group, row) => (
        <g key={group}>
          <path d={`M${left} ${top + (row + 1) * rowHeight}H${right}`} className="stroke-line" />
          <text x={0} y={top + (row + 0.5) * rowHeight + 3.5} className="fill-ink-2 text-[12px]">
            Group {group}
          </text>
        </g>
      ))}
      {/* One path for all: ten thousand dots stay quick. */}
      <path
        d={pathOf(rest.filter((place) => values[place]! >= share).map(dot))}
        className={cx(point, 'stroke-line-strong')}
      />
      <path
        d={pathOf(rest.filter((place) => values[place]! < share).map(dot))}
        className={cx(point, 'stroke-ink-3')}
      />
      <path d={pathOf(passed.map(dot))} className={cx(point, 'stroke-warning')} />
      {winner < groups.length ? <circle {...centerOf(dot(winner))} r={5.5} className="fill-accent" /> : null}
      {mine === null ? null : (
        <circle {...centerOf(dot(mine))} r={8} className="fill-none stroke-info stroke-2" />
      )}
      <g className="fill-ink-3 text-[12px]">
        <text x={left} y={bottom + 14}>
          0
        </text>
        <text x={(left + right) / 2} y={bottom + 14} textAnchor="middle">
          Lottery value
        </text>
        <text x={right} y={bottom + 14} textAnchor="end">
          1
        </text>
      </g>
    </svg>
  )
}

const point = 'fill-none stroke-[6px] [stroke-linecap:round]'

function pathOf(dots: readonly { x: number; y: number }[]): string {
  return dots.map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h.01`).join('')
}

function centerOf({ x, y }: { x: number; y: number }) {
  return { cx: x, cy: y }
}

/** Keeps dots of similar value apart. */
function lift(place: number): number {
  return ((place * 7) % 5) * 4 - 8
}

function describe({ share, groups, values, winner, passed }: Lottery): string {
  const inside = values.filter((value) => value < share).length
  return (
    `${count(groups.length, 'member')} by lottery value and group. The slate is ${percent(share)} of the ` +
    `club and holds ${inside} of them. Place ${winner + 1} got the offer; ${passed.length} came before. ` +
    'The table below lists the places that mattered.'
  )
}

const cell = 'px-2 py-2 first:pl-4 last:pr-4 sm:px-3 sm:first:pl-6 sm:last:pr-6'

function Places({ places, more }: { places: readonly ReportPlace[]; more: number }) {
  return (
    <>
      <table className="w-full border-t border-line text-13">
        <caption className="sr-only">The places that mattered, the best first</caption>
        <thead className="bg-sunken text-left text-12 text-ink-2">
          <tr>
            <th scope="col" className={cx(cell, 'font-medium')}>
              Place
            </th>
            <th scope="col" className={cx(cell, 'font-medium')}>
              Group
            </th>
            <th scope="col" className={cx(cell, 'font-medium')}>
              Value
            </th>
            <th scope="col" className={cx(cell, 'font-medium')}>
              What happened
            </th>
          </tr>
        </thead>
        <tbody>
          {places.map(({ place, group, value, outcome, text, mine }) => (
            <tr key={place} className="border-t border-line align-top">
              <th scope="row" className={cx(cell, 'tabular text-left font-normal text-ink')}>
                {place}
              </th>
              <td className={cx(cell, 'tabular text-ink-2')}>{group}</td>
              <td className={cx(cell, 'tabular text-ink-2')}>{value.toFixed(4)}</td>
              <td className={cx(cell, outcome === 'winner' ? 'font-medium text-accent-ink' : 'text-ink-2')}>
                {text}
                {mine ? <span className="font-medium text-ink"> (you)</span> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 ? (
        <p className="border-t border-line px-4 py-2.5 text-13 text-ink-3 sm:px-6">
          {count(more, 'more place')} came before. Each was checked too.
        </p>
      ) : null}
    </>
  )
}

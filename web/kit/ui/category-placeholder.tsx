import type { ReactNode } from 'react'
import type { Category } from '#contract/products.ts'
import { categoryOf } from './category-badge.tsx'
import { cx } from './cx.ts'

/** A drawing in the category's color instead of a product's picture. Decoration beside the title. */
export function CategoryPlaceholder({
  category,
  className,
}: {
  category: string | null
  className?: string
}) {
  const known = categoryOf(category)
  return (
    <span
      aria-hidden="true"
      className={cx('flex items-center justify-center overflow-hidden', hues[known], className)}
    >
      <svg viewBox="0 0 320 200" preserveAspectRatio="xMidYMid slice" className="size-full">
        {drawings[known]}
      </svg>
    </span>
  )
}

const hues: Record<Category, string> = {
  template: 'bg-template-soft [--draw:var(--template-ink)] [--tint:var(--template-line)]',
  tool: 'bg-tool-soft [--draw:var(--tool-ink)] [--tint:var(--tool-line)]',
  design: 'bg-design-soft [--draw:var(--design-ink)] [--tint:var(--design-line)]',
  guide: 'bg-guide-soft [--draw:var(--guide-ink)] [--tint:var(--guide-line)]',
  course: 'bg-course-soft [--draw:var(--course-ink)] [--tint:var(--course-line)]',
  audio: 'bg-audio-soft [--draw:var(--audio-ink)] [--tint:var(--audio-line)]',
  video: 'bg-video-soft [--draw:var(--video-ink)] [--tint:var(--video-line)]',
  other: 'bg-other-soft [--draw:var(--other-ink)] [--tint:var(--other-line)]',
}

// Each drawing: a sheet in the surface color, shapes in the category's line color and one stroke in its ink
// color.
const sheet = { fill: 'var(--surface)', stroke: 'var(--tint)', strokeWidth: 1.5 }
const tint = { fill: 'var(--tint)' }
const pen = {
  fill: 'none',
  stroke: 'var(--draw)',
  strokeWidth: 3,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const drawings: Record<Category, ReactNode> = {
  template: (
    <>
      <rect x="84" y="34" width="152" height="190" rx="8" {...sheet} />
      <rect x="100" y="52" width="72" height="8" rx="4" fill="var(--draw)" />
      {[0, 1, 2, 3, 4, 5].map((cell) => (
        <rect
          key={cell}
          x={100 + (cell % 3) * 42}
          y={76 + Math.floor(cell / 3) * 42}
          width="36"
          height="36"
          rx="5"
          {...tint}
        />
      ))}
      <path d="M109 95l6 6 12-13" {...pen} />
      <rect x="100" y="164" width="120" height="6" rx="3" {...tint} />
      <rect x="100" y="180" width="88" height="6" rx="3" {...tint} />
    </>
  ),
  tool: (
    <>
      <rect x="64" y="46" width="192" height="130" rx="10" {...sheet} />
      <path d="M64 72h192" stroke="var(--tint)" strokeWidth="1.5" />
      {[78, 91, 104].map((x) => (
        <circle key={x} cx={x} cy="59" r="3.5" {...tint} />
      ))}
      {[98, 122, 146].map((y, row) => (
        <g key={y}>
          <path d={`M84 ${y}h152`} stroke="var(--tint)" strokeWidth="4" strokeLinecap="round" />
          <circle
            cx={[188, 124, 206][row]}
            cy={y}
            r="8"
            fill="var(--surface)"
            stroke="var(--draw)"
            strokeWidth="3"
          />
        </g>
      ))}
    </>
  ),
  design: (
    <>
      <circle cx="132" cy="84" r="44" {...tint} />
      <rect x="146" y="78" width="84" height="84" rx="10" {...sheet} />
      <path d="M92 150C120 84 186 172 226 62" {...pen} />
      <rect
        x="86"
        y="144"
        width="12"
        height="12"
        rx="2"
        fill="var(--surface)"
        stroke="var(--draw)"
        strokeWidth="3"
      />
      <rect
        x="220"
        y="56"
        width="12"
        height="12"
        rx="2"
        fill="var(--surface)"
        stroke="var(--draw)"
        strokeWidth="3"
      />
    </>
  ),
  guide: (
    <>
      <path
        d="M160 60c-22-16-52-18-84-16v104c32-2 62 0 84 16 22-16 52-18 84-16V44c-32-2-62 0-84 16Z"
        {...sheet}
      />
      <path d="M160 60v104" stroke="var(--tint)" strokeWidth="1.5" />
      {[74, 92, 110].map((y) => (
        <g key={y} stroke="var(--tint)" strokeWidth="6" strokeLinecap="round" fill="none">
          <path d={`M96 ${y - 6}c16-.6 30 .6 44 5`} />
          <path d={`M180 ${y - 1}c14-4.400 28-5.600 44-5`} />
        </g>
      ))}
      <path d="M204 44v38l10-8 10 8V43" fill="var(--draw)" />
    </>
  ),
  course: (
    <>
      <rect x="66" y="44" width="188" height="112" rx="10" {...sheet} />
      <path d="M86 132l40-34 32 20 56-54" {...pen} />
      <circle cx="214" cy="64" r="7" fill="var(--draw)" />
      <path d="M130 180h60M160 156v24" stroke="var(--tint)" strokeWidth="6" strokeLinecap="round" />
      <rect x="86" y="62" width="54" height="7" rx="3.5" {...tint} />
      <rect x="86" y="76" width="34" height="7" rx="3.5" {...tint} />
    </>
  ),
  audio: (
    <>
      {[26, 50, 84, 60, 108, 74, 122, 92, 54, 96, 66, 38, 20].map((height, bar) => (
        <rect
          key={`${bar}-${height}`}
          x={66 + bar * 15}
          y={100 - height / 2}
          width="8"
          height={height}
          rx="4"
          fill={bar === 6 ? 'var(--draw)' : 'var(--tint)'}
        />
      ))}
    </>
  ),
  video: (
    <>
      <rect x="70" y="42" width="180" height="104" rx="10" {...sheet} />
      <circle cx="160" cy="94" r="26" {...tint} />
      <path
        d="M153 82v24l20-12Z"
        fill="var(--draw)"
        stroke="var(--draw)"
        strokeWidth="4"
        strokeLinejoin="round"
      />
      <path d="M78 168h164" stroke="var(--tint)" strokeWidth="5" strokeLinecap="round" />
      <path d="M78 168h58" stroke="var(--draw)" strokeWidth="5" strokeLinecap="round" />
      <circle cx="136" cy="168" r="7" fill="var(--draw)" />
    </>
  ),
  other: (
    <>
      <path d="M160 48l62 30v56l-62 32-62-32V78Z" {...sheet} />
      <path d="M98 78l62 32 62-32M160 110v56" stroke="var(--tint)" strokeWidth="2" fill="none" />
      <path d="M128 63l62 31v22" {...pen} />
    </>
  ),
}

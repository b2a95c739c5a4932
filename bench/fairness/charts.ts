// Small charts as SVG files, readable on a light and on a dark page: they bring their own background.
const width = 640
const barHeight = 16
const labelWidth = 200
const colors = ['#2f6f5e', '#b4793a', '#7a7f8c']

type Bars = {
  title: string
  unit: string
  series: string[]
  rows: { label: string; values: number[] }[]
  /** Values of very different sizes: each tenfold has the same width. */
  logarithmic?: boolean
}

/** Bars in groups, one for each series, with their values beside them. */
export function drawBars({ title, unit, series, rows, logarithmic = false }: Bars): string {
  const groupHeight = series.length * (barHeight + 2) + 12
  const height = 64 + rows.length * groupHeight
  const most = Math.max(...rows.flatMap(({ values }) => values.filter(Number.isFinite)), 1e-9)
  const least = 0.1
  const space = width - labelWidth - 90
  function lengthOf(value: number) {
    if (!Number.isFinite(value) || value <= 0) return 0
    if (!logarithmic) return (value / most) * space
    return Math.max(2, (Math.log(value / least) / Math.log(most / least)) * space)
  }
  const bars = rows.flatMap(({ label, values }, row) => {
    const top = 60 + row * groupHeight
    const middle = top + (groupHeight - 12) / 2 + 4
    return [
      `<text x="${labelWidth - 10}" y="${round(middle)}" text-anchor="end">${escaped(label)}</text>`,
      ...values.map((value, at) => {
        const y = top + at * (barHeight + 2)
        const length = round(lengthOf(value))
        const fill = colors[at % colors.length]
        return (
          `<rect x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}" rx="2" fill="${fill}"/>` +
          `<text x="${labelWidth + length + 6}" y="${y + 12}">${show(value)}</text>`
        )
      }),
    ]
  })
  const legend = series.map((name, at) => {
    const x = 16 + at * 200
    const fill = colors[at % colors.length]
    return (
      `<rect x="${x}" y="36" width="12" height="12" rx="2" fill="${fill}"/>` +
      `<text x="${x + 18}" y="46">${escaped(name)}</text>`
    )
  })
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    '<style>text{font:12px system-ui,sans-serif;fill:#20252e}.title{font-weight:600;font-size:14px}</style>',
    `<rect width="${width}" height="${height}" rx="8" fill="#fbfaf7"/>`,
    `<text class="title" x="16" y="24">${escaped(`${title} (${unit})`)}</text>`,
    ...legend,
    ...bars,
    '</svg>',
  ].join('\n')}\n`
}

const round = (value: number) => Number(value.toFixed(1))

function show(value: number) {
  return Number.isFinite(value) ? String(Number(value.toPrecision(3))) : '–'
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

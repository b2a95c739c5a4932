import type { Brush, CoverLayout } from './cover-brush.ts'

// The sixteen drawings. Each fills 1200×900 over a ground that is already painted, and sets the name itself,
// because where the name can stand is part of the composition.

export const art: Record<CoverLayout, (brush: Brush) => string> = {
  sheet,
  chart,
  planner,
  document,
  dial,
  window: appWindow,
  tiles,
  botanical,
  book,
  lessons,
  waveform,
  ripple,
  frames,
  landscape,
  stitch,
  letters,
}

/** A spreadsheet that runs off the lower right corner, with bars that follow its rows. */
function sheet({ palette, random, variant, name, line }: Brush): string {
  const title = heading({ name, line, x: 84, y: 92, width: 1030, size: 104, lines: 2, fill: palette.text })
  const top = Math.max(360, title.bottom + 56)
  const widths = [250, 150, 150, 150, 150, 330]
  const rows = Array.from({ length: 9 }, (_, row) => {
    const y = 96 + row * 66
    let x = 0
    const cells = widths.map((width, column) => {
      const left = x
      x += width
      if (column === 0) return bar(left + 30, y + 24, 80 + random() * 120, 18, palette.ink, 0.75)
      if (column === 5) {
        return bar(
          left + 24,
          y + 18,
          60 + random() * 230,
          30,
          [palette.one, palette.two, palette.three][row % 3],
        )
      }
      return bar(left + 120 - 20 - random() * 60, y + 24, 40 + random() * 20, 18, palette.ink, 0.28)
    })
    return `${row % 2 === 0 ? `<rect y="${y}" width="1300" height="66" fill="${palette.ink}" opacity="0.045"/>` : ''}${cells.join('')}`
  })
  const header = widths.map((_, column) => {
    const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0)
    return bar(left + 30, 38, column === 0 ? 130 : 70, 20, palette.paper, 0.9)
  })
  return [
    title.svg,
    `<g transform="translate(84 ${top}) rotate(-3)">`,
    `<rect x="14" y="18" width="1300" height="900" rx="22" fill="${palette.ink}" opacity="0.16"/>`,
    `<rect width="1300" height="900" rx="22" fill="${palette.paper}"/>`,
    `<path d="M0 96 V22 Q0 0 22 0 H1300 V96 Z" fill="${palette.one}"/>`,
    header.join(''),
    rows.join(''),
    `<rect x="400" y="162" width="150" height="66" fill="none" stroke="${palette.two}" stroke-width="6"/>`,
    '</g>',
    variant % 2 === 1 ? ringCard(palette, random) : '',
  ].join('')
}

function ringCard(palette: Brush['palette'], random: Brush['random']): string {
  const around = 2 * Math.PI * 84
  const [first, second] = [0.35 + random() * 0.2, 0.2 + random() * 0.15]
  const part = (share: number, from: number, stroke: string) =>
    `<circle r="84" fill="none" stroke="${stroke}" stroke-width="46" stroke-dasharray="${share * around} ${around}" transform="rotate(${from * 360 - 90})"/>`
  return [
    '<g transform="translate(800 520)">',
    `<rect x="8" y="12" width="310" height="310" rx="28" fill="${palette.ink}" opacity="0.2"/>`,
    `<rect width="310" height="310" rx="28" fill="${palette.paper}"/>`,
    `<g transform="translate(155 155)">${part(first, 0, palette.one)}${part(second, first, palette.two)}${part(1 - first - second, first + second, palette.three)}</g>`,
    '</g>',
  ].join('')
}

/** Columns that start at zero, with a line over them. */
function chart({ palette, random, name, line }: Brush): string {
  const title = heading({ name, line, x: 84, y: 92, width: 1030, size: 112, lines: 1, fill: palette.text })
  const heights = Array.from({ length: 9 }, (_, index) => 90 + index * 24 + random() * 80)
  const columns = heights.map((height, index) => {
    const x = 150 + index * 106
    const fill = index === 6 ? palette.two : palette.one
    return `<rect x="${x}" y="${800 - height}" width="66" height="${height}" rx="8" fill="${fill}" opacity="${index === 6 ? 1 : 0.9}"/>`
  })
  const points = heights.map((height, index) => ({
    x: 183 + index * 106,
    y: 800 - height - 46 - random() * 40,
  }))
  return [
    title.svg,
    `<rect x="84" y="330" width="1032" height="520" rx="28" fill="${palette.paper}"/>`,
    [420, 515, 610, 705]
      .map((y) => `<rect x="124" y="${y}" width="952" height="2" fill="${palette.ink}" opacity="0.12"/>`)
      .join(''),
    columns.join(''),
    `<rect x="124" y="798" width="952" height="6" rx="3" fill="${palette.ink}"/>`,
    `<path d="M${points.map(({ x, y }) => `${x} ${y}`).join(' L')}" fill="none" stroke="${palette.three}" stroke-width="9" stroke-linejoin="round" stroke-linecap="round"/>`,
    points
      .map(
        ({ x, y }) =>
          `<circle cx="${x}" cy="${y}" r="13" fill="${palette.paper}" stroke="${palette.three}" stroke-width="8"/>`,
      )
      .join(''),
  ].join('')
}

/** A month of rounded days beside a tall panel with the name. */
function planner({ palette, random, name, line }: Brush): string {
  const days = Array.from({ length: 30 }, (_, index) => {
    const x = 560 + (index % 5) * 128
    const y = -30 + Math.floor(index / 5) * 160
    const roll = random()
    const fill =
      roll < 0.16 ? palette.one : roll < 0.3 ? palette.two : roll < 0.42 ? palette.three : palette.paper
    const dark = fill !== palette.paper
    const mark =
      roll > 0.82
        ? `<circle cx="${x + 52}" cy="${y + 84}" r="24" fill="none" stroke="${palette.one}" stroke-width="7"/>`
        : roll > 0.62
          ? bar(x + 20, y + 74, 64, 10, palette.ink, 0.3) + bar(x + 20, y + 96, 40, 10, palette.ink, 0.3)
          : dark
            ? `<path d="M${x + 32} ${y + 84} l16 16 l30 -34" fill="none" stroke="${palette.paper}" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"/>`
            : ''
    return `<rect x="${x}" y="${y}" width="108" height="140" rx="18" fill="${fill}"/>${bar(x + 18, y + 20, 26, 12, dark ? palette.paper : palette.ink, dark ? 0.8 : 0.4)}${mark}`
  })
  const title = heading({ name, line, x: 76, y: 110, width: 410, size: 88, lines: 4, fill: palette.text })
  return [
    days.join(''),
    title.svg,
    `<g transform="translate(76 780)">${[palette.one, palette.two, palette.three].map((fill, index) => `<circle cx="${18 + index * 50}" cy="18" r="18" fill="${fill}"/>`).join('')}</g>`,
  ].join('')
}

/** Three loose pages at the right, the front one with a letterhead. */
function document({ palette, random, variant, name, line }: Brush): string {
  const page = (turn: number, x: number, y: number, content: string) =>
    `<g transform="translate(${x} ${y}) rotate(${turn})"><rect x="10" y="14" width="500" height="690" rx="10" fill="${palette.ink}" opacity="0.14"/><rect width="500" height="690" rx="10" fill="${palette.paper}"/>${content}</g>`
  const lines = Array.from({ length: 11 }, (_, row) =>
    bar(56, 236 + row * 36, row % 4 === 3 ? 150 + random() * 90 : 330 + random() * 58, 12, palette.ink, 0.26),
  )
  const fronts = [
    [
      `<circle cx="92" cy="92" r="36" fill="${palette.one}"/>`,
      `<path d="M92 56 a36 36 0 0 1 0 72 z" fill="${palette.two}"/>`,
      bar(150, 70, 200, 20, palette.ink, 0.85),
      bar(150, 104, 130, 12, palette.ink, 0.35),
      `<rect x="56" y="164" width="388" height="4" fill="${palette.one}"/>`,
      lines.join(''),
      `<rect x="304" y="618" width="140" height="34" rx="17" fill="${palette.three}"/>`,
    ],
    [
      `<path d="M0 250 V10 Q0 0 10 0 H490 Q500 0 500 10 V250 Z" fill="${palette.one}"/>`,
      `<path d="M0 250 V190 L130 90 L220 170 L330 60 L500 210 V250 Z" fill="${palette.ink}" opacity="0.55"/>`,
      `<circle cx="400" cy="70" r="34" fill="${palette.three}"/>`,
      bar(56, 286, 260, 24, palette.ink, 0.85),
      lines.slice(3).join(''),
    ],
    [
      bar(56, 64, 220, 26, palette.ink, 0.85),
      bar(56, 106, 120, 12, palette.ink, 0.35),
      `<rect x="56" y="160" width="180" height="180" rx="12" fill="${palette.two}"/><circle cx="146" cy="250" r="58" fill="none" stroke="${palette.paper}" stroke-width="16"/><circle cx="146" cy="250" r="14" fill="${palette.paper}"/>`,
      `<rect x="262" y="160" width="182" height="180" rx="12" fill="${palette.one}"/><path d="M292 310 L353 196 L414 310 Z" fill="none" stroke="${palette.paper}" stroke-width="16" stroke-linejoin="round"/>`,
      lines.slice(4).join(''),
    ],
  ]
  const front = fronts[variant % fronts.length]?.join('') ?? ''
  const title = heading({ name, line, x: 80, y: 130, width: 500, size: 96, lines: 4, fill: palette.text })
  return [
    `<circle cx="960" cy="470" r="420" fill="${palette.one}" opacity="0.18"/>`,
    page(14, 850, 20, `<rect width="500" height="690" rx="10" fill="${palette.two}"/>`),
    page(5, 740, 90, `<rect width="500" height="690" rx="10" fill="${palette.three}"/>`),
    page(-5, 630, 176, front),
    title.svg,
  ].join('')
}

/** A gauge with ticks and a needle, or a round timer that is cut by the edges. */
function dial(brush: Brush): string {
  const { palette, random, variant, name, line } = brush
  if (variant % 2 === 1) return timer(brush)
  const [cx, cy] = [830, 860]
  const at = (radius: number, turn: number) =>
    `${cx + radius * Math.cos(turn)} ${cy + radius * Math.sin(turn)}`
  const arc = (radius: number, from: number, to: number, stroke: string, width: number) =>
    `<path d="M${at(radius, from)} A${radius} ${radius} 0 ${to - from > Math.PI ? 1 : 0} 1 ${at(radius, to)}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`
  const ticks = Array.from({ length: 61 }, (_, index) => {
    const turn = Math.PI + (index / 60) * Math.PI
    const long = index % 5 === 0
    return `<path d="M${at(446, turn)} L${at(long ? 400 : 424, turn)}" stroke="${palette.ink}" stroke-width="${long ? 7 : 3}" stroke-linecap="round" opacity="${long ? 0.9 : 0.45}"/>`
  })
  const split = Math.PI * (1.3 + random() * 0.15)
  const second = split + Math.PI * (0.18 + random() * 0.12)
  const needle = split + (second - split) * (0.3 + random() * 0.5)
  const title = heading({ name, line, x: 84, y: 92, width: 820, size: 112, lines: 2, fill: palette.text })
  return [
    `<circle cx="${cx}" cy="${cy}" r="560" fill="${palette.paper}" opacity="0.25"/>`,
    `<circle cx="${cx}" cy="${cy}" r="480" fill="${palette.paper}"/>`,
    ticks.join(''),
    arc(322, Math.PI, split, palette.one, 92),
    arc(322, split, second, palette.two, 92),
    arc(322, second, Math.PI * 2, palette.three, 92),
    `<path d="M${at(410, needle)} L${at(34, needle - Math.PI / 2)} L${at(34, needle + Math.PI / 2)} Z" fill="${palette.ink}"/>`,
    `<circle cx="${cx}" cy="${cy}" r="74" fill="${palette.ink}"/>`,
    `<circle cx="${cx}" cy="${cy}" r="22" fill="${palette.paper}"/>`,
    title.svg,
  ].join('')
}

function timer({ palette, random, name, line }: Brush): string {
  const [cx, cy, radius] = [900, 610, 420]
  const turn = 0.2 + random() * 0.5
  const spoke = (share: number, length: number) => {
    const angle = share * 2 * Math.PI - Math.PI / 2
    return `${cx + length * Math.cos(angle)} ${cy + length * Math.sin(angle)}`
  }
  const ticks = Array.from({ length: 48 }, (_, index) => {
    const long = index % 4 === 0
    return `<path d="M${spoke(index / 48, radius - 26)} L${spoke(index / 48, radius - (long ? 74 : 50))}" stroke="${palette.ink}" stroke-width="${long ? 9 : 4}" stroke-linecap="round" opacity="${long ? 0.85 : 0.4}"/>`
  })
  const title = heading({ name, line, x: 84, y: 92, width: 340, size: 108, lines: 3, fill: palette.text })
  return [
    `<circle cx="${cx}" cy="${cy}" r="${radius + 70}" fill="${palette.one}"/>`,
    `<circle cx="${cx}" cy="${cy}" r="${radius}" fill="${palette.paper}"/>`,
    ticks.join(''),
    `<path d="M${cx} ${cy} L${spoke(0, 310)} A310 310 0 ${turn > 0.5 ? 1 : 0} 1 ${spoke(turn, 310)} Z" fill="${palette.two}"/>`,
    `<path d="M${cx} ${cy} L${spoke(turn, 310)} A310 310 0 0 1 ${spoke(turn + 0.18, 310)} Z" fill="${palette.three}"/>`,
    `<path d="M${cx} ${cy} L${spoke(turn, 350)}" stroke="${palette.ink}" stroke-width="18" stroke-linecap="round"/>`,
    `<circle cx="${cx}" cy="${cy}" r="46" fill="${palette.ink}"/><circle cx="${cx}" cy="${cy}" r="14" fill="${palette.paper}"/>`,
    title.svg,
  ].join('')
}

/** An application window with a grid of swatches, sliders and a switch. */
function appWindow({ palette, random, name, line }: Brush): string {
  const shades = [palette.one, palette.two, palette.three, palette.ink]
  const swatches = Array.from({ length: 15 }, (_, index) => {
    const x = 52 + (index % 5) * 112
    const y = 132 + Math.floor(index / 5) * 112
    const fill = shades[Math.floor(random() * shades.length)]
    const round = [14, 46, 14][Math.floor(random() * 3)]
    return `<rect x="${x}" y="${y}" width="92" height="92" rx="${round}" fill="${fill}" opacity="${0.35 + Math.floor(random() * 3) * 0.325}"/>`
  })
  const sliders = Array.from({ length: 4 }, (_, index) => {
    const y = 160 + index * 78
    const value = 60 + random() * 230
    const fill = shades[index % 3]
    return `${bar(660, y, 330, 12, palette.ink, 0.14)}${bar(660, y, value, 12, fill)}<circle cx="${660 + value}" cy="${y + 6}" r="20" fill="${palette.paper}" stroke="${fill}" stroke-width="9"/>`
  })
  const title = heading({ name, line, x: 84, y: 620, width: 1030, size: 104, lines: 1, fill: palette.text })
  return [
    `<circle cx="1060" cy="90" r="300" fill="${palette.two}" opacity="0.55"/>`,
    `<circle cx="120" cy="520" r="210" fill="${palette.three}" opacity="0.5"/>`,
    '<g transform="translate(80 70)">',
    `<rect x="10" y="16" width="1040" height="480" rx="26" fill="${palette.ink}" opacity="0.18"/>`,
    `<rect width="1040" height="480" rx="26" fill="${palette.paper}"/>`,
    `<path d="M0 84 V26 Q0 0 26 0 H1014 Q1040 0 1040 26 V84 Z" fill="${palette.ink}" opacity="0.08"/>`,
    shades
      .slice(0, 3)
      .map((fill, index) => `<circle cx="${50 + index * 38}" cy="42" r="12" fill="${fill}"/>`)
      .join(''),
    bar(380, 30, 280, 24, palette.ink, 0.14),
    swatches.join(''),
    sliders.join(''),
    '</g>',
    title.svg,
  ].join('')
}

/** A repeat of quarter circles, leaves and dots, with the name on a plate. */
function tiles({ palette, random, variant, name, line }: Brush): string {
  const size = 150
  const grounds = [palette.one, palette.two, palette.three, palette.paper, palette.ground]
  const motif = variant % 4
  const cells = Array.from({ length: 48 }, (_, index) => {
    const x = (index % 8) * size
    const y = Math.floor(index / 8) * size
    const ground = Math.floor(random() * grounds.length)
    const shape = grounds[(ground + 1 + Math.floor(random() * (grounds.length - 1))) % grounds.length]
    const drawn =
      motif === 0
        ? `<path d="M0 0 H${size} A${size} ${size} 0 0 1 0 ${size} Z" fill="${shape}"/>`
        : motif === 1
          ? `<path d="M0 0 Q${size} 0 ${size} ${size} Q0 ${size} 0 0 Z" fill="${shape}"/><circle cx="112" cy="38" r="15" fill="${shape}"/>`
          : motif === 2
            ? `<path d="M0 0 H${size} L0 ${size} Z" fill="${shape}"/><path d="M${size} ${size} H75 L${size} 75 Z" fill="${palette.ink}" opacity="0.85"/>`
            : `<circle cx="75" cy="75" r="75" fill="${shape}"/><path d="M75 0 A75 75 0 0 1 75 150 Z" fill="${palette.ink}" opacity="0.8"/>`
    const turn = Math.floor(random() * 4) * 90
    return `<g transform="translate(${x} ${y}) rotate(${turn} 75 75)"><rect width="${size + 0.5}" height="${size + 0.5}" fill="${grounds[ground]}"/>${drawn}</g>`
  })
  const title = heading({ name, line, x: 60, y: 66, width: 690, size: 92, lines: 2, fill: palette.ink })
  const height = title.bottom + 60
  return [
    cells.join(''),
    `<g transform="translate(0 ${900 - height})"><rect width="830" height="${height}" fill="${palette.paper}"/><rect width="830" height="12" fill="${palette.ink}"/>${title.svg}</g>`,
  ].join('')
}

/** Stems that grow from the lower edge, each with its own leaves and head. */
function botanical({ palette, random, name, line }: Brush): string {
  const stems = Array.from({ length: 9 }, (_, index) => {
    const foot = 70 + index * 134 + (random() - 0.5) * 50
    const height = 270 + random() * 130 + (index > 5 ? (index - 5) * 62 : 0)
    const lean = (random() - 0.5) * 150
    const [topX, topY] = [foot + lean, 900 - height]
    const green = [palette.one, palette.text, palette.one][index % 3]
    const bloom = [palette.two, palette.three, palette.paper][Math.floor(random() * 3)]
    const leaves = Array.from({ length: 5 }, (_unused, step) => {
      const along = 0.2 + step * 0.13
      const x = foot + lean * along * along
      const y = 900 - height * along
      const side = step % 2 === 0 ? 1 : -1
      const length = 92 - step * 9
      return `<path d="M0 0 C${length * 0.3} ${-length * 0.45} ${length * 0.8} ${-length * 0.4} ${length} 0 C${length * 0.7} ${length * 0.16} ${length * 0.3} ${length * 0.2} 0 0 Z" transform="translate(${x} ${y}) scale(${side} 1) rotate(${-38 + random() * 16})" fill="${green}"/>`
    })
    return [
      `<path d="M${foot} 910 Q${foot} ${900 - height * 0.6} ${topX} ${topY}" fill="none" stroke="${green}" stroke-width="7" stroke-linecap="round"/>`,
      leaves.join(''),
      flower(Math.floor(random() * 4), topX, topY, bloom ?? palette.two, palette.text),
    ].join('')
  })
  const title = heading({ name, line, x: 84, y: 92, width: 960, size: 110, lines: 2, fill: palette.text })
  return [
    `<circle cx="1010" cy="330" r="190" fill="${palette.three}" opacity="0.35"/>`,
    `<g transform="translate(0 ${title.bottom > 420 ? 70 : 0})">${stems.join('')}</g>`,
    title.svg,
  ].join('')
}

function flower(kind: number, x: number, y: number, fill: string, heart: string): string {
  if (kind === 0) {
    const petals = Array.from(
      { length: 8 },
      (_, index) =>
        `<ellipse cx="0" cy="-42" rx="17" ry="36" transform="rotate(${index * 45})" fill="${fill}"/>`,
    )
    return `<g transform="translate(${x} ${y})">${petals.join('')}<circle r="19" fill="${heart}"/></g>`
  }
  if (kind === 1) {
    const balls = Array.from({ length: 9 }, (_, index) => {
      const turn = Math.PI + (index / 8) * Math.PI
      const [bx, by] = [Math.cos(turn) * 64, Math.sin(turn) * 64]
      return `<path d="M0 0 L${bx} ${by}" stroke="${heart}" stroke-width="4"/><circle cx="${bx}" cy="${by}" r="13" fill="${fill}"/>`
    })
    return `<g transform="translate(${x} ${y})">${balls.join('')}</g>`
  }
  if (kind === 2) {
    return `<g transform="translate(${x} ${y})"><path d="M-46 -14 Q-46 -92 -18 -62 Q0 -110 18 -62 Q46 -92 46 -14 Q36 30 0 30 Q-36 30 -46 -14 Z" fill="${fill}"/></g>`
  }
  const grains = Array.from(
    { length: 7 },
    (_, index) =>
      `<ellipse cx="${index % 2 === 0 ? 13 : -13}" cy="${20 - index * 20}" rx="11" ry="19" transform="rotate(${index % 2 === 0 ? 24 : -24} ${index % 2 === 0 ? 13 : -13} ${20 - index * 20})" fill="${fill}"/>`,
  )
  return `<g transform="translate(${x} ${y})">${grains.join('')}</g>`
}

/** A closed book that stands on the ground, its name on the board. */
function book({ palette, variant, name, line }: Brush): string {
  const board = variant % 2 === 0 ? palette.one : palette.two
  const label = heading({ name, line: '', x: 84, y: 84, width: 400, size: 78, lines: 4, fill: palette.ink })
  const emblem = variant % 3
  const drawn =
    emblem === 0
      ? [150, 112, 74, 36]
          .map(
            (radius, index) =>
              `<path d="M${310 - radius} 0 a${radius} ${radius} 0 0 1 ${radius * 2} 0 Z" fill="${[palette.three, palette.paper, palette.ink, palette.three][index]}"/>`,
          )
          .join('')
      : emblem === 1
        ? Array.from(
            { length: 5 },
            (_, index) =>
              `<path d="M110 ${-20 - index * 34} q50 -40 100 0 t100 0 t100 0 t100 0" fill="none" stroke="${index % 2 === 0 ? palette.paper : palette.three}" stroke-width="11" stroke-linecap="round"/>`,
          ).join('')
        : `<path d="M110 0 L230 -150 L300 -66 L370 -170 L510 0 Z" fill="${palette.three}"/><circle cx="180" cy="-150" r="32" fill="${palette.paper}"/>`
  const aside = wrap(capitalised(line), 350, 38)
  return [
    `<circle cx="330" cy="900" r="620" fill="${palette.three}" opacity="0.28"/>`,
    `<rect y="800" width="1200" height="100" fill="${palette.ink}" opacity="0.12"/>`,
    '<g transform="translate(120 76)">',
    `<path d="M40 744 h600 l150 26 h-760 z" fill="${palette.ink}" opacity="0.2"/>`,
    `<rect x="566" y="12" width="54" height="726" rx="6" fill="${palette.paper}"/>`,
    Array.from(
      { length: 6 },
      (_, index) =>
        `<rect x="${574 + index * 7}" y="12" width="2" height="726" fill="${palette.ink}" opacity="0.2"/>`,
    ).join(''),
    `<rect width="590" height="750" rx="12" fill="${board}"/>`,
    `<rect width="44" height="750" rx="12" fill="${palette.ink}" opacity="0.28"/>`,
    `<g transform="translate(-118 690) scale(1.36)">${drawn}</g>`,
    `<rect x="62" y="50" width="470" height="${label.bottom + 4}" fill="${palette.paper}"/>`,
    `<g transform="translate(8 4)">${label.svg}</g>`,
    '</g>',
    `<g transform="translate(790 ${360 - aside.length * 26})"><rect width="64" height="10" y="-52" fill="${palette.text}"/>${aside.map((text, row) => `<text y="${row * 52 + 38}" font-size="39" font-weight="500" fill="${palette.text}">${escape(text)}</text>`).join('')}</g>`,
  ].join('')
}

/** A winding path of numbered lessons, with the one being watched. */
function lessons({ palette, random, name, line }: Brush): string {
  const count = 6
  const [phase, bend] = [random() * 6, 0.8 + random() * 0.9]
  const playing = 2 + Math.floor(random() * 3)
  const points = Array.from({ length: count }, (_, index) => ({
    x: 130 + index * 192,
    y: 675 + Math.sin(phase + index * bend) * 85,
  }))
  const path = points
    .map(({ x, y }, index) => {
      const previous = points[index - 1]
      return previous
        ? `C${previous.x + 96} ${previous.y} ${x - 96} ${y} ${x} ${y}`
        : `M-40 640 Q40 640 ${x} ${y}`
    })
    .join(' ')
  const stops = points.map(({ x, y }, index) => {
    if (index === playing) {
      return `<circle cx="${x}" cy="${y}" r="92" fill="${palette.one}"/><path d="M${x - 26} ${y - 42} L${x + 48} ${y} L${x - 26} ${y + 42} Z" fill="${palette.paper}" stroke="${palette.paper}" stroke-width="10" stroke-linejoin="round"/>`
    }
    const done = index < playing
    return `<circle cx="${x}" cy="${y}" r="52" fill="${done ? palette.two : palette.paper}"/><text x="${x}" y="${y + 16}" text-anchor="middle" font-size="46" font-weight="700" fill="${done ? palette.paper : palette.ink}">${index + 1}</text>`
  })
  const title = heading({ name, line, x: 84, y: 92, width: 1010, size: 116, lines: 2, fill: palette.text })
  return [
    `<path d="M0 ${560 + random() * 120} Q300 ${440 + random() * 90} 640 580 T1200 ${470 + random() * 120} V900 H0 Z" fill="${palette.three}" opacity="0.45"/>`,
    `<path d="${path} Q1180 ${points.at(-1)?.y ?? 690} 1260 620" fill="none" stroke="${palette.text}" stroke-width="12" stroke-dasharray="2 26" stroke-linecap="round"/>`,
    stops.join(''),
    title.svg,
  ].join('')
}

/** A recording as bars over the whole width, some of it already played. */
function waveform({ palette, random, name, line }: Brush): string {
  const played = 0.3 + random() * 0.4
  const [first, second] = [random() * 6, random() * 6]
  const bars = Array.from({ length: 56 }, (_, index) => {
    const swell = Math.abs(Math.sin(index * 0.16 + first) * 0.6 + Math.sin(index * 0.43 + second) * 0.4)
    const height = 30 + swell * 330 * (0.65 + random() * 0.5)
    const x = 84 + index * 18.6
    const before = index / 56 < played
    return `<rect x="${x}" y="${610 - height / 2}" width="11" height="${height}" rx="5.5" fill="${before ? palette.one : palette.text}" opacity="${before ? 1 : 0.3}"/>`
  })
  const head = 84 + Math.floor(56 * played) * 18.6 + 5
  const title = heading({ name, line, x: 84, y: 92, width: 960, size: 116, lines: 1, fill: palette.text })
  return [
    `<circle cx="${head}" cy="610" r="250" fill="${palette.two}" opacity="0.3"/>`,
    `<circle cx="${head}" cy="610" r="150" fill="${palette.three}" opacity="0.35"/>`,
    bars.join(''),
    `<rect x="${head - 3}" y="400" width="6" height="420" rx="3" fill="${palette.two}"/><circle cx="${head}" cy="400" r="17" fill="${palette.two}"/>`,
    title.svg,
  ].join('')
}

/** Rings on water or on a record, from a centre beyond the middle. */
function ripple({ palette, random, variant, name, line }: Brush): string {
  const [cx, cy] = [840 + random() * 120, 470 + random() * 120]
  const rings = Array.from({ length: 15 }, (_, index) => {
    const radius = 640 - index * 42
    const fill = [palette.one, palette.ground, palette.two, palette.ground, palette.three][index % 5]
    const r = radius - (index % 2) * (6 + random() * 14)
    if (variant % 3 === 1) {
      const turn = index % 4 < 2 ? 0 : 180
      return `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${palette.ground}"/><path d="M${cx - r} ${cy} a${r} ${r} 0 0 1 ${2 * r} 0 Z" fill="${fill}" transform="rotate(${turn + variant * 25} ${cx} ${cy})"/>`
    }
    if (variant % 3 === 2) {
      return `<circle cx="${cx + index * 9}" cy="${cy - 120 + index * 22}" r="${r}" fill="${fill}" opacity="${index % 2 === 0 ? 1 : 0.55}"/>`
    }
    return `<circle cx="${cx}" cy="${cy + index * 3}" r="${r}" fill="${fill}"/>`
  })
  const title = heading({ name, line, x: 70, y: 70, width: 520, size: 98, lines: 3, fill: palette.ink })
  return [
    rings.join(''),
    variant % 3 === 0 ? `<circle cx="${cx}" cy="${cy + 46}" r="26" fill="${palette.paper}"/>` : '',
    `<rect x="0" y="${900 - title.bottom - 66}" width="660" height="${title.bottom + 66}" fill="${palette.paper}"/>`,
    `<g transform="translate(0 ${900 - title.bottom - 66})">${title.svg}</g>`,
  ].join('')
}

/** Film frames on a slant, each a moment of the same small scene. */
function frames({ palette, variant, name, line }: Brush): string {
  const kind = [1, 0, 1, 2][variant % 4]
  const strip = Array.from({ length: 5 }, (_, index) => {
    const x = index * 360
    const rise = 40 + index * 34
    const scene =
      kind === 0
        ? `<rect width="324" height="236" fill="${palette.two}"/><circle cx="${60 + index * 52}" cy="${180 - rise * 0.5}" r="44" fill="${palette.paper}"/><path d="M0 236 V170 Q80 ${110 + index * 6} 162 170 T324 150 V236 Z" fill="${palette.ink}"/>`
        : kind === 1
          ? `<rect width="324" height="236" fill="${palette.paper}"/><circle cx="162" cy="118" r="${26 + index * 30}" fill="${palette.one}"/><circle cx="${130 + index * 12}" cy="${106 + index * 4}" r="${12 + index * 15}" fill="${palette.three}"/>`
          : `<rect width="324" height="236" fill="${palette.three}"/><rect x="0" y="130" width="${90 + index * 52}" height="50" fill="${palette.ink}"/><rect x="0" y="186" width="${50 + index * 38}" height="22" fill="${palette.one}"/><circle cx="${270 - index * 6}" cy="64" r="34" fill="${palette.paper}"/>`
    const holes = Array.from(
      { length: 6 },
      (_unused, hole) =>
        `<rect x="${x + 14 + hole * 60}" y="22" width="30" height="24" rx="6" fill="${palette.paper}" opacity="0.85"/><rect x="${x + 14 + hole * 60}" y="334" width="30" height="24" rx="6" fill="${palette.paper}" opacity="0.85"/>`,
    )
    return `${holes.join('')}<svg x="${x + 18}" y="72" width="324" height="236" viewBox="0 0 324 236">${scene}</svg>`
  })
  const title = heading({ name, line, x: 84, y: 606, width: 1030, size: 108, lines: 1, fill: palette.text })
  return [
    `<rect width="1200" height="540" fill="${palette.one}" opacity="0.35"/>`,
    '<g transform="translate(-150 132) rotate(-6)">',
    `<rect x="-40" y="14" width="1900" height="380" fill="${palette.ink}" opacity="0.2"/>`,
    '<rect x="-40" width="1900" height="380" fill="#1b1a1e"/>',
    strip.join(''),
    '</g>',
    `<rect y="${572}" width="1200" height="330" fill="${palette.ground}"/>`,
    title.svg,
  ].join('')
}

/** Hills behind hills, with a sun or a moon. */
function landscape({ palette, random, variant, name, line }: Brush): string {
  const [sunX, sunY] = [820 + random() * 220, 430 + random() * 60]
  const fills = [palette.three, palette.two, palette.one, palette.ink]
  const hills = fills.map((fill, index) => {
    const base = 520 + index * 96
    const step = 1200 / 6
    const start = base + (random() - 0.5) * 80
    let path = `M0 900 V${start}`
    let y = start
    for (let part = 1; part <= 6; part += 1) {
      const next = base + (random() - 0.5) * (130 - index * 16)
      path += ` C${(part - 0.5) * step} ${y} ${(part - 0.5) * step} ${next} ${part * step} ${next}`
      y = next
    }
    return `<path d="${path} V900 Z" fill="${fill}"/>`
  })
  const night = variant % 3 === 1
  const title = heading({ name, line, x: 84, y: 92, width: 1000, size: 110, lines: 2, fill: palette.text })
  const trees = Array.from({ length: 9 }, () => {
    const [x, y, size] = [random() * 1200, 860, 70 + random() * 55]
    return `<path d="M${x} ${y - size * 1.5} L${x + size * 0.42} ${y} H${x - size * 0.42} Z" fill="${palette.ink}"/>`
  })
  return [
    night ? '' : `<circle cx="${sunX}" cy="${sunY}" r="190" fill="${palette.paper}" opacity="0.16"/>`,
    `<circle cx="${sunX}" cy="${sunY}" r="116" fill="${palette.paper}"/>`,
    night ? `<circle cx="${sunX + 46}" cy="${sunY - 22}" r="100" fill="${palette.ground}"/>` : '',
    hills.join(''),
    trees.join(''),
    title.svg,
  ].join('')
}

/** A symmetric motif in cross stitches on counted cloth. */
function stitch({ palette, random, name, line }: Brush): string {
  const half = 11
  const rows = 26
  const unit = 34
  const colours = [palette.one, palette.two, palette.three]
  const [a, b, c] = [2 + Math.floor(random() * 3), 3 + Math.floor(random() * 4), Math.floor(random() * 5)]
  const crosses: string[] = []
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < half; column += 1) {
      const down = Math.abs(row - 12.5)
      const ring = Math.floor(column + down)
      const drawn = ring % (a + 3) < 2 || (column * b + Math.floor(down) * a + c) % 9 === 0
      if (!drawn) continue
      const colour = colours[Math.floor(ring / (a + 1)) % 3] ?? palette.one
      for (const side of column === 0 ? [1] : [1, -1]) {
        const [x, y] = [820 + side * column * unit, 26 + row * unit]
        crosses.push(
          `<path d="M${x - 12} ${y - 12} l24 24 m0 -24 l-24 24" stroke="${colour}" stroke-width="9" stroke-linecap="round"/>`,
        )
      }
    }
  }
  const title = heading({ name, line, x: 64, y: 120, width: 350, size: 82, lines: 4, fill: palette.text })
  return [
    `<rect x="440" width="760" height="900" fill="${palette.paper}"/>`,
    `<g stroke="${palette.ink}" stroke-width="1.5" opacity="0.09">${Array.from({ length: 24 }, (_, index) => `<path d="M${429 + 17 + index * unit} 0 V900"/>`).join('')}${Array.from({ length: 27 }, (_, index) => `<path d="M440 ${9 + index * unit} H1200"/>`).join('')}</g>`,
    crosses.join(''),
    `<path d="M440 0 V900" stroke="${palette.one}" stroke-width="14" stroke-dasharray="34 22" stroke-linecap="round"/>`,
    title.svg,
  ].join('')
}

/** The initials, very large and cropped, as on a type example. */
function letters({ palette, random, name, line }: Brush): string {
  const words = name.split(' ')
  const initials = words.length > 1 ? `${words[0]?.[0] ?? ''}${words.at(-1)?.[0] ?? ''}` : name.slice(0, 2)
  const turn = -8 + random() * 6
  const title = heading({ name, line, x: 84, y: 628, width: 1030, size: 104, lines: 1, fill: palette.text })
  return [
    `<path d="M0 0 H1200 V${500 + random() * 60} L0 ${580 + random() * 10} Z" fill="${palette.one}"/>`,
    `<g transform="rotate(${turn} 600 300)">`,
    Array.from(
      { length: 5 },
      (_, index) =>
        `<rect x="-100" y="${90 + index * 104}" width="1400" height="3" fill="${palette.paper}" opacity="0.35"/>`,
    ).join(''),
    `<text x="96" y="460" font-size="520" font-weight="800" letter-spacing="-22" fill="${isLight(palette.one) ? palette.ink : palette.paper}">${escape(initials)}</text>`,
    `<circle cx="1040" cy="200" r="96" fill="${palette.three}"/><rect x="950" y="350" width="180" height="120" fill="${palette.two}"/>`,
    '</g>',
    `<path d="M0 ${588} L1200 ${560} V900 H0 Z" fill="${palette.ground}"/>`,
    title.svg,
  ].join('')
}

function isLight(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return red * 0.3 + green * 0.59 + blue * 0.11 > 150
}

type Heading = {
  name: string
  line: string
  x: number
  y: number
  width: number
  /** The largest size of the name in pixels; it shrinks until the name fits into `lines` lines. */
  size: number
  lines: number
  fill: string
}

function heading({ name, line, x, y, width, size, lines, fill }: Heading): { svg: string; bottom: number } {
  let fitted = size
  let rows = wrap(name, width, fitted * boldness)
  while (
    (rows.length > lines || rows.some((row) => widthOf(row, fitted * boldness) > width)) &&
    fitted > 44
  ) {
    fitted -= 4
    rows = wrap(name, width, fitted * boldness)
  }
  const small = Math.min(38, Math.max(32, width / 26))
  const under = line ? wrap(capitalised(line), width, small) : []
  const leading = fitted * 1.04
  const underTop = y + fitted * 0.8 + (rows.length - 1) * leading + small * 1.75
  const svg = [
    ...rows.map(
      (row, index) =>
        `<text x="${x}" y="${y + fitted * 0.8 + index * leading}" font-size="${fitted}" font-weight="700" letter-spacing="${-fitted * 0.028}" fill="${fill}">${escape(row)}</text>`,
    ),
    ...under.map(
      (row, index) =>
        `<text x="${x}" y="${underTop + index * small * 1.3}" font-size="${small}" font-weight="500" fill="${fill}" opacity="0.86">${escape(row)}</text>`,
    ),
  ].join('')
  return { svg, bottom: underTop + (under.length - 1) * small * 1.3 + small * 0.3 }
}

// Bold letters set tight come out about as wide as regular ones; the rest is room for another font than Inter.
const boldness = 1.04

function wrap(text: string, width: number, size: number): string[] {
  const rows: string[] = []
  for (const word of text.split(' ')) {
    const last = rows.at(-1)
    if (last !== undefined && widthOf(`${last} ${word}`, size) <= width) {
      rows[rows.length - 1] = `${last} ${word}`
    } else {
      rows.push(word)
    }
  }
  return rows
}

/** An estimate without a font at hand, a little on the wide side. */
function widthOf(text: string, size: number): number {
  let ems = 0
  for (const letter of text) {
    if (' .,:;’‘il1jftrI'.includes(letter)) ems += 0.34
    else if ('mwMW'.includes(letter)) ems += 0.9
    else if (/[A-Z]/.test(letter)) ems += 0.7
    else ems += 0.58
  }
  return ems * size
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function bar(x: number, y: number, width: number, height: number, fill = 'none', opacity = 1): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${height / 2}" fill="${fill}" opacity="${opacity}"/>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

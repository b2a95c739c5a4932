export const coverLayouts = [
  'sheet',
  'chart',
  'planner',
  'document',
  'dial',
  'window',
  'tiles',
  'botanical',
  'book',
  'lessons',
  'waveform',
  'ripple',
  'frames',
  'landscape',
  'stitch',
  'letters',
] as const

export type CoverLayout = (typeof coverLayouts)[number]

/** Colours that belong together: `text` is read on `ground`, `ink` on `paper`; the other three are for shapes. */
export type Palette = {
  ground: string
  text: string
  paper: string
  ink: string
  one: string
  two: string
  three: string
}

/** What one of the sixteen drawings is given. */
export type Brush = {
  palette: Palette
  /** The next number of the product's own sequence, from 0 up to 1. */
  random: () => number
  /** Counts the products of one layout, so that neighbours differ in more than colour. */
  variant: number
  /** The part of the title before its colon, and the part after it. */
  name: string
  line: string
}

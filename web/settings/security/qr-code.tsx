import { useMemo } from 'react'
import { encode } from 'uqr'

/** A text as a QR code: dark on light in both themes, because not every app reads the reverse. */
export function QrCode({ text }: { text: string }) {
  const { path, size } = useMemo(() => encodePath(text), [text])
  return (
    <svg
      // The same content is beside it as text.
      aria-hidden="true"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 shrink-0 rounded-8 border border-line forced-color-adjust-none"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** One rectangle per horizontal run of dark squares, which keeps the path short. */
function encodePath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const runs = data.flatMap((row, y) => {
    const parts: string[] = []
    for (let x = 0; x < size; x += 1) {
      if (!row[x]) continue
      const from = x
      while (row[x]) x += 1
      parts.push(`M${from} ${y}h${x - from}v1h${from - x}z`)
    }
    return parts
  })
  return { path: runs.join(''), size }
}

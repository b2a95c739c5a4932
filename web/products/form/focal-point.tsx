import { useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import type { ImageFocus } from '#contract/products.ts'
import { FilePicture } from '#web/kit/ui/file-picture.tsx'

type FocalPointProps = {
  /** The chosen file, or the address of the stored picture. */
  picture: File | string
  value: ImageFocus
  onValueChange: (focus: ImageFocus) => void
}

const middle = { x: 50, y: 50 }

/** Chooses the point of a picture that stays visible on cards: by a press on it, or with the arrow keys. */
export function FocalPoint({ picture, value, onValueChange }: FocalPointProps) {
  const [dragging, setDragging] = useState(false)

  function point({ currentTarget, clientX, clientY }: PointerEvent) {
    const box = currentTarget.getBoundingClientRect()
    onValueChange({
      x: percent((clientX - box.left) / box.width),
      y: percent((clientY - box.top) / box.height),
    })
  }

  function step(event: KeyboardEvent) {
    const by = event.shiftKey ? 10 : 2
    const change = steps[event.key]
    if (!change) return
    event.preventDefault()
    onValueChange({ x: limited(value.x + by * change.x), y: limited(value.y + by * change.y) })
  }

  return (
    <fieldset className="mb-4 min-w-0">
      <legend className="text-13 font-medium text-ink">Focal point</legend>
      <p id="focal-help" className="mt-0.5 text-12 text-pretty text-ink-3">
        Press the part of the picture that should stay visible, or move the point with the arrow keys.
      </p>
      <div className="mt-2 flex flex-wrap items-end gap-4">
        {/* A range input moves in one direction only. */}
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="slider"
          tabIndex={0}
          aria-label="Focal point"
          aria-describedby="focal-help"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={value.x}
          aria-valuetext={`${value.x}% from the left, ${value.y}% from the top`}
          onKeyDown={step}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            setDragging(true)
            point(event)
          }}
          onPointerMove={(event) => dragging && point(event)}
          onPointerUp={() => setDragging(false)}
          onPointerCancel={() => setDragging(false)}
          className={
            'relative cursor-crosshair touch-none overflow-hidden ' +
            'rounded-8 border border-line select-none'
          }
        >
          <Picture picture={picture} className="pointer-events-none block max-h-44 max-w-64" />
          <span
            aria-hidden="true"
            style={{ left: `${value.x}%`, top: `${value.y}%` }}
            className={
              'pointer-events-none absolute size-5 -translate-1/2 rounded-full border-2 border-white ' +
              'bg-black/35 shadow-[0_0_0_1.5px_#000]'
            }
          />
        </div>
        <figure className="w-28">
          <div className="overflow-hidden rounded-8 border border-line">
            <Picture picture={picture} focus={value} className="aspect-4/3 w-full object-cover" />
          </div>
          <figcaption className="mt-1 flex items-baseline justify-between gap-2 text-12 text-ink-3">
            On a card
            <button
              type="button"
              onClick={() => onValueChange(middle)}
              className={
                'rounded-4 py-0.5 font-medium text-accent-ink ' +
                'underline decoration-accent-line underline-offset-3 hover:decoration-current'
              }
            >
              Center
            </button>
          </figcaption>
        </figure>
      </div>
    </fieldset>
  )
}

type PictureProps = { picture: File | string; focus?: ImageFocus; className: string }

function Picture({ picture, focus, className }: PictureProps) {
  const style = focus ? { objectPosition: `${focus.x}% ${focus.y}%` } : undefined
  return typeof picture === 'string' ? (
    <img src={picture} alt="" draggable={false} style={style} className={className} />
  ) : (
    <FilePicture file={picture} alt="" style={style} className={className} />
  )
}

const steps: Partial<Record<string, ImageFocus>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

function percent(share: number) {
  return limited(Math.round(100 * share))
}

function limited(value: number) {
  return Math.min(100, Math.max(0, value))
}

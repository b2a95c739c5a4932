/*
 * Where the member's pointer rests and when they last pressed something, so that nothing opens under their
 * hands. A touch has no resting place.
 */

type Point = { x: number; y: number }

let pointer: Point | null = null
let pressedAt = Number.NEGATIVE_INFINITY

/** Watches the pointer and the keys until the returned function is called. */
export function watchHands(): () => void {
  const ended = new AbortController()
  const options = { capture: true, passive: true, signal: ended.signal }
  for (const name of ['pointermove', 'pointerover', 'pointerdown'] as const) {
    addEventListener(name, notePointer, options)
  }
  addEventListener('keydown', notePress, options)
  // Without a related element the pointer has left the window.
  addEventListener('pointerout', (event) => event.relatedTarget === null && clearPointer(), options)
  return () => {
    ended.abort()
    clearPointer()
  }
}

function notePointer(event: PointerEvent): void {
  pointer = event.pointerType === 'touch' ? null : { x: event.clientX, y: event.clientY }
  if (event.type === 'pointerdown') notePress()
}

function notePress(): void {
  pressedAt = performance.now()
}

function clearPointer(): void {
  pointer = null
}

/** The milliseconds since the last press of a key or a button. */
export function sincePress(): number {
  return performance.now() - pressedAt
}

/** Whether the pointer rests on a control, or inside a box of this size in the middle of the window. */
export function isPointerInTheWay(box: { width: number; height: number }): boolean {
  if (pointer === null) return false
  const isInside =
    Math.abs(pointer.x - innerWidth / 2) <= box.width / 2 &&
    Math.abs(pointer.y - innerHeight / 2) <= box.height / 2
  return isInside || Boolean(document.elementFromPoint(pointer.x, pointer.y)?.closest(controls))
}

const controls =
  'a, button, input, select, textarea, label, summary, [role=button], ' +
  '[role=menuitem], [role=option], [role=tab]'

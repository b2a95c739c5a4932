/*
 * The tests render with React for production, which has no `act`. This one has what is rendered in the page,
 * and what that began on its way, before it returns.
 */
import React from 'react'
import { flushSync } from 'react-dom'

// A test may stop the clock.
const later = globalThis.setTimeout

async function act(render: () => Promise<void>) {
  await flushSync(render)
  await new Promise((resolve) => later(resolve))
}

Object.assign(React, { act })

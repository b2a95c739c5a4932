import type { RefusalText } from '../kit.ts'

/** What our staff may be refused on the page about health. Apart from its calls, which members never load. */
export const healthRefusals = {
  CONTENT_GONE: {
    status: 409,
    message: 'The content of this mail was deleted with its link. Its owner can request a new one.',
  },
} satisfies Record<string, RefusalText>

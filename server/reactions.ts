import type { Reactions } from '#server/kit/ctx.ts'

/** What each room does when a lower one says that something happened: the one list of who listens to whom. */
export const reactions: Reactions = {}

// All rules of the rotation that `npm run test:rules` removes.
import { drawing } from './drawing.ts'
import { limiting } from './limiting.ts'
import { meeting } from './meeting.ts'
import { membership } from './membership.ts'
import type { Removal } from './removal.ts'

export const removals: Removal[] = [...meeting, ...drawing, ...limiting, ...membership]

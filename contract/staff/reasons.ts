import { prose } from '../kit.ts'

/** Why staff do something adverse: kept in the record of staff actions. */
export const reason = prose(2000, 1)

// Whether the rules of the rotation can still be removed as its removal says.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removals } from './removals.ts'

/** Of the sources in `root`: each text that is not there exactly once, and so no longer removes its rule. */
export async function faultyTexts(root: string): Promise<string[]> {
  const faults: string[] = []
  for (const { rule, edits } of removals) {
    for (const { file, from } of edits) {
      const times = (await readFile(join(root, file), 'utf8')).split(from).length - 1
      if (times !== 1) faults.push(`${rule}: ${file} has this text ${times} times, not once:\n  ${from}`)
    }
  }
  return faults
}

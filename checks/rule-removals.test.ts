// `npm run test:rules` takes minutes and is run by hand. What it removes has to be there still.
import { expect, test } from 'vitest'
import { faultyTexts } from '#scripts/rules/faulty-texts.ts'

test('each rule of the rotation can be removed by the text that names it', async () => {
  expect(await faultyTexts('.')).toEqual([])
})

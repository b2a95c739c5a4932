import { expect, test } from 'vitest'
import { csvRow } from './csv.ts'

const cell = (text: string) => csvRow([text]).replace(/\r\n$/, '')

test('every cell stands in quotes, with quotes inside doubled and line breaks kept', () => {
  expect(csvRow(['a', 1, null, true, 'say "so"', 'one\ntwo, three'])).toBe(
    '"a","1","","true","say ""so""","one\ntwo, three"\r\n',
  )
})

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '|cmd',
  '%0',
  ' =1',
  '\uFEFF=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠x',
  '\tx',
  '\rx',
  '\nx',
  ' \n x',
])('%j gets an apostrophe and nothing else', (text) => {
  expect(cell(text)).toBe(`"'${text}"`)
})

test('a negative number stays a number', () => {
  expect(csvRow([-1, 0.5])).toBe('"-1","0.5"\r\n')
})

test('what no program takes for a formula stays as it is', () => {
  for (const text of ['1+1', 'a=1', ' plain', '(-1)', "'quoted", '";=1'.slice(1)]) {
    expect(cell(text)).toBe(`"${text.replaceAll('"', '""')}"`)
  }
  expect(cell('";=1')).toBe('""";=1"')
})

test('NUL is left out, and hides no formula', () => {
  expect(cell('a\0b')).toBe('"ab"')
  expect(cell('\0=1')).toBe(`"'=1"`)
})

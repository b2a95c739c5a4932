import { expect, test } from 'vitest'
import { line, prose } from './kit.ts'

test.each([
  ['a line break', 'a\nb'],
  ['a line break of another kind', 'a\u0085b'],
  ['a separator of lines', 'a\u2028b'],
  ['a separator of paragraphs', 'a\u2029b'],
  ['NUL', 'a\0b'],
  ['half a character', 'a\ud800b'],
  ['a mark that reverses the text after it', 'gnp\u202e.exe'],
  ['a mark that isolates a direction', 'a\u2067b'],
])('one line holds no %s', (_, text) => {
  expect(line(60).safeParse(text).success).toBe(false)
})

test.each(['Zoë O’Brien', 'שלום', 'مرحبا', 'می‌خواهم', '👩‍💻 at work', '<b>bold</b>', '=1+1'])(
  'one line may be %j',
  (text) => {
    expect(line(60).safeParse(text).success).toBe(true)
  },
)

test('prose keeps its line breaks and no other control characters', () => {
  expect(prose(60).safeParse('a\r\n\tb').success).toBe(true)
  expect(prose(60).safeParse('a\u0007b').success).toBe(false)
})

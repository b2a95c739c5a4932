// Checks in a thread of its own, so that the page stays quick. One file without imports at run time: its
// answer's policy lets it load nothing.
import './no-eval.ts'
import { dayFile, dayList, passFile } from '#contract/draw-receipt.ts'
import type { KeptDraw } from '#contract/kept-draws.ts'
import { makePassReport } from './make-pass-report.ts'
import { makeReport } from './make-report.ts'
import { readFile, readReceipt } from './read-files.ts'
import type { OwnNumber, OwnTurn, PassReport, Report, Unreadable } from './report.ts'

/** What the worker is asked. Files are given as text. */
export type Questions = {
  /** What a receipt is about, to load the files that its check needs. */
  read: { text: string }
  receipt: {
    text: string
    days: string | null
    dayFiles: string[]
    kept: KeptDraw | null
    own: OwnNumber | null
  }
  pass: { text: string; days: string | null; dayFile: string | null; own: OwnTurn }
}
export type Answers = {
  read: { problem: Unreadable } | { request: string; club: string; days: string[] }
  receipt: { problem: Unreadable } | Report
  pass: PassReport | null
}

addEventListener('message', ({ data }: MessageEvent<{ id: number; name: keyof Questions; given: never }>) => {
  const { id, name, given } = data
  postMessage({ id, answer: answers[name](given) })
})

const answers: { [Name in keyof Questions]: (given: Questions[Name]) => Answers[Name] } = {
  read({ text }) {
    const read = readReceipt(text)
    if ('problem' in read) return read
    const { request, club, draws } = read.receipt
    return { request, club, days: [...new Set(draws.map(({ pass }) => pass.at.slice(0, 10)))] }
  },
  receipt({ text, days, dayFiles, kept, own }) {
    const read = readReceipt(text)
    if ('problem' in read) return read
    return makeReport({
      receipt: read.receipt,
      days: days === null ? null : readFile(dayList, days),
      dayFiles: dayFiles.flatMap((file) => readFile(dayFile, file) ?? []),
      kept,
      own,
    })
  },
  pass({ text, days, dayFile: day, own }) {
    const file = readFile(passFile, text)
    if (!file) return null
    return makePassReport({
      pass: file.pass,
      days: days === null ? null : readFile(dayList, days),
      dayFile: day === null ? null : readFile(dayFile, day),
      own,
    })
  },
}

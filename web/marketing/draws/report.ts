// What the check of a draw found, as the page shows it. The worker makes it; the page only renders it.
import type { DrawPlace, OwnDraw } from '#contract/matching.ts'

/** `later`: it cannot be checked yet, and the text says why. `unchecked`: a step before it failed. */
export type StepState = 'holds' | 'fails' | 'later' | 'unchecked'

export type Step = {
  name: string
  title: string
  state: StepState
  text: string
  /** The values that the step was about. `href`: where anyone can read it. */
  values: { name: string; value: string; href?: string }[]
}

export type Verdict = { state: 'holds' | 'fails' | 'later'; title: string; text: string }

/** A place of the list that mattered for the draw. */
export type ReportPlace = {
  place: number
  group: number
  value: number
  outcome: 'winner' | 'passed' | 'after'
  text: string
  mine: boolean
}

export type Lottery = {
  /** The share of the club that the request was open to, from 0 to 1. */
  share: number
  /** For each place of the list: its group and its lottery value. */
  groups: number[]
  values: Float64Array
  /** Indexes of the places. */
  winner: number
  passed: number[]
  mine: number | null
  /** The places that mattered, the best first. */
  places: ReportPlace[]
  /** How many better places are left out of `places`. */
  more: number
}

export type DrawReport = {
  at: string
  steps: Step[]
  /** Null without the secret, and while a step before failed. */
  lottery: Lottery | null
}

export type Report = {
  verdict: Verdict
  side: 'seller' | 'reviewer'
  request: string
  ticket: Step[]
  draws: DrawReport[]
}

/** Whether a member was left out of one draw. */
export type PassReport = { verdict: Verdict; steps: Step[] }

/** Why a text is no receipt that can be checked. */
export type Unreadable = { title: string; text: string }

/** My number of the week, and the week it is for. */
export type OwnNumber = { number: string; from: string; until: string }
/** `why`: why I am not in the list that is checked, as far as the club still knows it. */
export type OwnTurn = OwnNumber & { band: number; turnAt: string; why: DrawPlace['passes'][number]['why'] }

/** A failure with what it means. `again`: trying once more may help. `signIn`: signing in does. */
export type Failure = Unreadable & { again?: boolean; signIn?: boolean }

export type Checker = {
  /** Checks the text of a receipt. */
  checkText(text: string): Promise<Report | Failure>
  /** Loads and checks the receipt of a request or offer of one's own. */
  checkRequest(request: string): Promise<Report | Failure>
  findOwnPlace(): Promise<DrawPlace | Failure | null>
  listOwnDraws(): Promise<OwnDraw[] | Failure>
  checkPass(pass: DrawPlace['passes'][number], place: DrawPlace): Promise<PassReport | Failure>
}

const moments = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})

const dayNames = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** A UTC day in words. */
export function dayName(day: string): string {
  return dayNames.format(new Date(`${day}T00:00:00Z`))
}

/** In the reader's time zone, which it names. */
export function moment(at: string): string {
  return moments.format(new Date(at))
}

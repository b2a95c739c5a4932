// Answers a member who was not drawn: whether one draw left them out.
import { checkOwnPlace, checkPass, checkPasses, placeInList } from '#contract/draw-receipt.ts'
import type { DayFile, DayList, DrawnPass } from '#contract/draw-receipt.ts'
import { count } from '#contract/format.ts'
import { isInWeek, revealOf, verdictOf } from './make-report.ts'
import { dayName, moment } from './report.ts'
import type { OwnTurn, PassReport, Step } from './report.ts'

type Place = ReturnType<typeof checkOwnPlace>
type GivenPass = { pass: DrawnPass; days: DayList | null; dayFile: DayFile | null; own: OwnTurn }

/** Checks one run of the draw, and looks for the member's number in it. */
export function makePassReport(given: GivenPass): PassReport {
  const run = runStep(given)
  const steps = [run, ...(run.state === 'fails' ? [] : [publishedStep(given), placeStep(given)])]
  const place = steps.at(-1)
  const verdict = verdictOf(steps, place?.text ?? '')
  if (verdict.state === 'fails' || place?.name !== 'me') return { verdict, steps }
  const isListed = placeInList(given.pass, given.own.number) >= 0
  const isIn = isListed ? 'You were in the list' : 'You weren’t left out'
  return place.state === 'holds'
    ? { verdict: { state: 'holds', title: isIn, text: place.text }, steps }
    : { verdict: { state: 'later', title: place.title, text: place.text }, steps }
}

function runStep({ pass }: GivenPass): Step {
  const ok = checkPass(pass)
  return {
    name: 'chain',
    title: 'The run of the draw is unchanged',
    state: stateOf(ok),
    text:
      ok === null
        ? 'The club has deleted the list of this draw.'
        : ok
          ? 'Its hash fits its time, its list, its cut-off and the hash of the run before.'
          : 'Its hash doesn’t fit: the time, the list, the cut-off or the hash before it was changed.',
    values: [{ name: 'Hash', value: pass.hash }],
  }
}

function publishedStep({ pass, days, dayFile }: GivenPass): Step {
  const found = days && dayFile ? checkPasses(pass, dayFile, days) : null
  const day = pass.at.slice(0, 10)
  return {
    name: 'passes',
    title: 'The run is among the published ones',
    state: stateOf(found?.ok ?? null),
    text:
      found && found.ok !== null
        ? found.text
        : `The runs of ${dayName(day)} are published from ${revealOf(day)}. ` +
          'Keep the hash above and compare then.',
    values: [],
  }
}

function placeStep({ pass, own }: GivenPass): Step {
  const title = 'Your place'
  if (!isInWeek(own, pass.at)) {
    const text =
      'Your number has changed since: this draw was in the week before. It can’t be found any more.'
    return { name: 'me', title, state: 'later', text, values: [] }
  }
  const place = checkOwnPlace(pass, { number: own.number, band: own.band, turn: own.turnAt })
  const { ok, name } = place
  const values = [{ name: 'Your number this week', value: own.number }]
  const text = placeText({ pass, own }, place)
  if (name !== 'left_out') return { name: 'me', title, state: stateOf(ok), text, values }
  // The club’s word explains it; else only the member knows whether they could be asked.
  if (own.why) return { name: 'me', title, state: 'holds', text, values }
  return { name: 'me', title: 'You weren’t in the list', state: 'later', text, values }
}

function placeText({ pass, own }: Pick<GivenPass, 'pass' | 'own'>, { ok, text }: Place): string {
  if (pass.list === null) return 'The club has deleted the list of this draw.'
  if (ok === null) return text
  const size = pass.list.length / 18
  const at = placeInList(pass, own.number)
  if (at >= 0)
    return (
      `Your number is in the list, at place ${at + 1} of ${size}. You took part in this draw. The list ` +
      'doesn’t say why another place was drawn.'
    )
  if (!ok && own.why) return `Your number isn’t in the list. ${whys[own.why]}`
  const cut = pass.cut
    ? `The list ended in group ${pass.cut.band + 1}, ` +
      `with members waiting since ${moment(pass.cut.turn)}. ` +
      `You are in group ${own.band + 1} and have waited since ${moment(own.turnAt)}`
    : `No one was cut off: the list has all ${count(size, 'member')} ` +
      'who could be asked and whom no other draw held'
  if (ok) return `${cut}. So your turn comes later, and you weren’t left out.`
  return (
    `Your number isn’t in the list. ${cut}. This draw was among members who were ${phases[pass.phase]}. If ` +
    'you were one of them, could be asked at that time, and no other draw of that moment has you, you were ' +
    'left out: please write to us. A visit or an answer of yours that was being saved just then also keeps ' +
    'you out of one draw.'
  )
}

function stateOf(ok: boolean | null): Step['state'] {
  if (ok === null) return 'later'
  return ok ? 'holds' : 'fails'
}

const whys = {
  joined_later: 'You joined after this draw.',
  had_offer: 'You had an open offer then, so you couldn’t be asked.',
}

const phases: Record<number, string> = { 0: 'online', 1: 'away', 2: 'on stand-by' }

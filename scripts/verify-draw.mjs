#!/usr/bin/env node
// Checks a draw of the club without the club: one file, no dependencies. It uses the network only for the
// addresses that you give it.
//
//   node verify-draw.mjs receipt.json [--days draws.json] [--day 2026-11-21.json ...] [--me number,band,turn]
//     [--beacon round.json]
//   node verify-draw.mjs --help
//
// A receipt comes from /api/draws/<request>/receipt.json, the list of the days from
// /fairness/draws.json, and a day with its passes from /fairness/draws/<day>.json: --day once for each day of
// a draw. Each may be a file or an https address that needs no sign-in. --me looks for yourself in each list:
// your number, your band (the group on our page, less 1) and since when you waited. It says that you could be
// asked: without an open offer, cooldown or rest, and below every limit.
// --beacon compares the round of the public beacon, where the receipt has one, with what the beacon says.
// Ends with 0 when every step holds, with 1 when one does not, with 2 when a file cannot be read, and with 3
// when nothing is wrong but some steps are still open.
// The formats are described in docs/checking-a-draw.md.
import { createHash, createHmac } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

// A public beacon: seconds from the use of a ticket to the earliest round, and until none is taken.
const beaconLeadSeconds = 6
const beaconWaitSeconds = 60
const hourMs = 3_600_000
const dayMs = 24 * hourMs
// How far a clock that is set back may date a draw before its request, and a request before its day.
const clockStepMs = 60_000
// The club keeps the list of a pass for 180 days. Clocks differ.
const listKeptMs = 179 * dayMs
// The secret is published two hours after its day ends. One that is a day late is withheld.
const publishedAfterMs = dayMs + 2 * hourMs
const withheldAfterMs = publishedAfterMs + dayMs
const weekMs = 7 * dayMs
// Up to this band, everyone who could be asked is in the list. Passes of earlier rules left out higher bands,
// unless a request had waited for hours.
const highestBandAtOnce = 4
const phases = ['online', 'away', 'on stand-by']
const leagueOfEntropy = '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971'

const help = `Checks a draw of the club without the club.

  node verify-draw.mjs receipt.json --days draws.json --day 2026-11-21.json

  receipt.json       Save it on /fairness/check of the club, from a draw of yours, after signing in.
  --days draws.json  The public list of the days: <club>/fairness/draws.json
  --day <day>.json   A day with its passes, which are its runs of the draw, once for each day of a draw:
                     <club>/fairness/draws/<day>.json
  --me n,band,turn   Looks for yourself: your number of the week, your band (the group on the page, less 1)
                     and since when you waited for your turn.
  --beacon file      What the public beacon says of its round, where the receipt has one.

Each may be a file, or an https address that needs no sign-in. It ends with 0 when every step holds, with 1
when one does not, with 2 when a file cannot be read, and with 3 when nothing is wrong but steps are open.`

const skipCodes = {
  own_product: 1,
  paired_before: 2,
  reviewed_before: 3,
  paired_in_pass: 4,
  over_cap: 5,
  asked_recently: 6,
  conflict: 7,
  cannot_take: 8,
  circle: 9,
  ruled_out: 10,
}

async function main(given) {
  if (given.includes('--help')) return console.log(help)
  const { receiptAt, daysAt, dayFilesAt, beaconAt, me } = readArguments(given)
  try {
    const receipt = await readJson(receiptAt)
    const days = daysAt ? await readJson(daysAt) : null
    const dayFiles = await Promise.all(dayFilesAt.map(readJson))
    const beacon = beaconAt ? await readJson(beaconAt) : null
    say([...verify({ receipt, days, dayFiles, me, beacon }), ...missing({ receipt, days, dayFiles })])
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    leave(2, `Can’t read ${error.message}`)
  }
}

/**
 * The steps of a check: whether each holds (null: not yet), and in words what it means. `now`: the moment of
 * the check, in milliseconds since 1970.
 */
export function verify({ receipt, days = null, dayFiles = [], me = null, beacon = null, now = Date.now() }) {
  const steps = []
  try {
    if (receipt.format === 'evenhand-draw-pass/1') checkPassFile(steps, receipt.pass, me, now)
    else {
      const isReceipt = receipt.format === 'evenhand-draw-receipt/1'
      check(steps, isReceipt, 'The file is a receipt of a draw.', 'The file is no receipt of a draw.')
      if (isReceipt) checkReceipt(steps, withSecretOf(days, receipt), { me, now, publicRound: beacon })
    }
    checkFormats(steps, days, dayFiles)
    if (days && receipt.ticket) {
      checkClub(steps, receipt, [days, ...dayFiles])
      checkDays(steps, days, receipt, now)
    }
    if (days) for (const file of dayFiles) checkDay(steps, file, days, passesOf(receipt))
  } catch (error) {
    const text = 'A file is damaged: a part of it is missing, or isn’t as the format says'
    steps.push({ ok: false, text: `${text} (${error.message}).` })
  }
  return steps
}

/** The list of the days and the file of one day look alike. */
function checkFormats(steps, days, dayFiles) {
  if (days && days.format !== 'evenhand-draw-days/1')
    check(
      steps,
      false,
      'The file after --days isn’t the list of all days. One of a single day goes after --day.',
    )
  if (dayFiles.some(({ format }) => format !== 'evenhand-draw-day/1'))
    check(
      steps,
      false,
      'A file after --day isn’t that of a single day. The list of all days goes after --days.',
    )
}

/** What is not checked without the public files. */
function missing({ receipt, days, dayFiles }) {
  const steps = []
  if (!receipt.ticket) return steps
  if (!days) later(steps, 'Whether the secret was fixed before, only the public list says: --days draws.json')
  const given = days ? dayFiles.map(({ day }) => day) : []
  const drawnOn = new Set(passesOf(receipt).map(({ at }) => at.slice(0, 10)))
  for (const day of [...drawnOn].filter((day) => !given.includes(day)))
    later(
      steps,
      `Whether the club published the draw of ${day}, only the file of that day says: --day ${day}.json`,
    )
  return steps
}

function say(steps) {
  for (const { ok, text } of steps) console.log(`${ok === null ? '–' : ok ? '✓' : '✗'} ${text}`)
  const failed = steps.filter(({ ok }) => ok === false).length
  const open = steps.filter(({ ok }) => ok === null).length
  if (failed > 0) leave(1, `\n${failed} of ${steps.length} steps failed.`)
  else if (open > 0) leave(3, `\nNothing was found wrong so far. Open: ${open} of ${steps.length} steps.`)
  else leave(0, '\nEvery step holds. Nothing was found wrong.')
}

function leave(code, text) {
  console.log(text)
  process.exitCode = code
}

function readArguments(given) {
  const after = (name) => (given.includes(name) ? given[given.indexOf(name) + 1] : undefined)
  const [receiptAt, ...options] = given
  const names = options.filter((_, place) => place % 2 === 0)
  const known = ['--days', '--day', '--me', '--beacon']
  const isUsable = receiptAt && !receiptAt.startsWith('-') && options.length % 2 === 0
  const me = readMe(after('--me'))
  if (!isUsable || names.some((name) => !known.includes(name)) || me === undefined) {
    console.log(
      'Usage: node verify-draw.mjs receipt.json [--days draws.json] [--day day.json ...] ' +
        '[--me number,band,turn] [--beacon round.json]\nnode verify-draw.mjs --help says what each is.',
    )
    process.exit(2)
  }
  return {
    receiptAt,
    daysAt: after('--days'),
    dayFilesAt: options.filter((_, place) => place % 2 === 1 && options[place - 1] === '--day'),
    beaconAt: after('--beacon'),
    me,
  }
}

/** Null without it; undefined when it isn't a number, a band and a time. */
function readMe(text) {
  if (text === undefined) return null
  const [number, band, turn] = text.split(',')
  const me = { number, band: Number(band), turn: Date.parse(turn) }
  return isHex(number, 8) && /^\d$/.test(band) && !Number.isNaN(me.turn) ? me : undefined
}

class Unreadable extends Error {}

async function readJson(at) {
  try {
    if (/^https?:\/\//.test(at)) return await fetchJson(at)
    return JSON.parse(await readFile(at, 'utf8'))
  } catch (error) {
    throw new Unreadable(`${at}: ${error.message}`)
  }
}

async function fetchJson(address) {
  const answer = await fetch(address)
  if (answer.status === 401) throw new Error('it needs your sign-in, so save it as a file first')
  if (!answer.ok) throw new Error(`the answer is ${answer.status}`)
  return answer.json()
}

function passesOf(file) {
  return file.pass ? [file.pass] : file.draws.map(({ pass }) => pass)
}

// The receipt.

/** A receipt that was saved before the secret was published gets it from the list. */
function withSecretOf(days, receipt) {
  if (!days || receipt.daySecret !== null) return receipt
  const { day, dayHash } = receipt.ticket
  const revealed = days.records.find((record) => record.kind === 'revealed' && record.day === day)
  const secret = revealed?.value.slice(0, 64)
  return secret && sha256(bytes(secret)) === dayHash ? { ...receipt, daySecret: secret } : receipt
}

function checkReceipt(steps, receipt, { me, now, publicRound }) {
  const { ticket, nonce, daySecret } = receipt
  const afterDay = Date.parse(receipt.askedAt) - Date.parse(ticket.day)
  check(
    steps,
    afterDay >= -clockStepMs && afterDay < dayMs + clockStepMs,
    'The request was made on the day of its ticket.',
    'The ticket is of another day than the request.',
  )
  check(
    steps,
    [ticket.commitment, ticket.dayHash].every((hash) => isHex(hash, 32)) && isHex(nonce, 16),
    'Commitment, hash and nonce have the right size.',
    'The commitment, the hash of the day’s secret or the nonce is too short or too long.',
  )
  if (receipt.beacon) checkBeacon(steps, receipt, publicRound)
  let secret = null
  if (daySecret === null) {
    const from = new Date(Date.parse(ticket.day) + publishedAfterMs).toISOString().slice(0, 16)
    later(
      steps,
      `The day’s secret is published from ${from.replace('T', ' ')} UTC on. Until then no one can check ` +
        'the ticket’s secret, the lottery values, the slate and who came before. Then save the list and ' +
        `the file of the day again: --days draws.json --day ${ticket.day}.json`,
    )
  } else {
    check(
      steps,
      sha256(bytes(daySecret)) === ticket.dayHash,
      'The day’s secret matches its hash.',
      'The day’s secret and its hash in this receipt don’t belong together.',
    )
    secret = ticketSecret(bytes(daySecret), BigInt(ticket.number))
    check(
      steps,
      sha256(secret) === ticket.commitment,
      'The ticket’s secret comes from the day’s secret and matches the commitment ' +
        'that came before the nonce.',
      'The day’s secret and the ticket’s number give another commitment than the one in this receipt.',
    )
  }
  if (receipt.draws.length === 0) later(steps, 'This request has not been drawn yet.')
  receipt.draws.forEach((draw, place) => {
    const before = receipt.draws.length > 1 ? `Draw ${place + 1}: ` : ''
    checkDraw(
      (ok, text, otherwise = text) => check(steps, ok, before + text, before + otherwise),
      receipt,
      draw,
      { secret, now },
    )
    if (me) checkMe(steps, draw.pass, me, now)
  })
}

/** The round follows from the time, and its random value from its signature, which is the beacon's own. */
function checkBeacon(steps, { beacon, ticket, askedAt, issuedAt, draws }, publicRound) {
  const { chain, from, round, signature, randomness } = beacon
  check(
    steps,
    chainHash(chain) === chain.hash,
    'The beacon’s chain has the hash of its description.',
    'The beacon’s chain has another hash than its description.',
  )
  const earliest = Date.parse(from) / 1000 + beaconLeadSeconds
  const first = Math.max(1, Math.ceil((earliest - chain.genesis) / chain.period) + 1)
  check(
    steps,
    round === first && Date.parse(from) <= Date.parse(askedAt) && from.slice(0, 10) === ticket.day,
    `Round ${round} is the first one due ${beaconLeadSeconds} seconds after the ticket was used, or later.`,
    `The ticket was used for another round than ${round}, or on another day.`,
  )
  if (signature === null) {
    const isAwaited = Date.parse(issuedAt) < Date.parse(from) + beaconWaitSeconds * 1000
    if (isAwaited && draws.length === 0) later(steps, 'The value of the round is still awaited.')
    else
      check(
        steps,
        randomness === null,
        `No beacon: its value didn’t come within ${beaconWaitSeconds} seconds, ` +
          'so the key was made without it.',
        'The receipt has a random value of the beacon without its signature.',
      )
  } else {
    check(
      steps,
      isHex(signature, 48) && sha256(bytes(signature)) === randomness,
      'The random value is the hash of the round’s signature.',
      'The random value isn’t the hash of the round’s signature.',
    )
  }
  const isPublic = chain.hash === leagueOfEntropy
  if (!isPublic)
    later(steps, 'The chain isn’t the one of the League of Entropy. Who runs it could know its values.')
  if (publicRound)
    check(
      steps,
      publicRound.round === round && (signature === null || publicRound.signature === signature),
      signature === null
        ? 'The beacon published this round. Whether it did in time, its file doesn’t say.'
        : 'The beacon itself says the same of this round.',
      'The beacon itself says something else of this round.',
    )
  else
    later(
      steps,
      'This script doesn’t check the signature. Compare the round with the beacon’s own answer: --beacon ' +
        (isPublic ? `https://api.drand.sh/${chain.hash}/public/${round}` : 'and a file or an address'),
    )
}

function checkDraw(step, receipt, draw, { secret, now }) {
  const { pass } = draw
  step(
    Date.parse(pass.at) >= Date.parse(receipt.askedAt) - clockStepMs,
    'The draw came after the request.',
    'The draw is dated before the request that it was for.',
  )
  if (pass.list === null)
    return now >= Date.parse(pass.at) + listKeptMs
      ? step(null, 'The club has deleted the list of this pass, after half a year.')
      : step(false, 'The list of this pass is missing, which the club keeps for half a year.')
  const unknown = draw.skipped.find(({ reason }) => !Object.hasOwn(skipCodes, reason))
  if (unknown) step(false, `“${unknown.reason}” is no reason for which a place can be left out.`)
  step(
    passHash(pass) === pass.hash,
    'The pass matches its hash: time, list, cut-off, slate, draws and the pass before it.',
    'The pass doesn’t match its hash: its time, list, cut-off or slate, a draw, or the hash before was ' +
      'changed.',
  )
  const window = readWindow(pass.list)
  step(
    isConsistent(pass, window),
    'The list agrees with the counts, the order and the cut-off of the pass.',
    'The list contradicts the counts, the order or the cut-off of the pass.',
  )
  const recorded = pass.draws.find(({ slot }) => slot === draw.slot)
  step(
    recorded?.digest === drawDigest(receipt, draw),
    'The draw is the one that the pass recorded.',
    recorded
      ? 'The pass recorded another draw at this place: the winner, a reason, the nonce, the commitment, ' +
          'the time of the request or the beacon was changed.'
      : `The pass recorded no draw at place ${draw.slot + 1}.`,
  )
  step(
    window[draw.slot]?.number === draw.winner,
    `The offer went to place ${draw.slot + 1} of ${window.length}.`,
    `At place ${draw.slot + 1} of the list is another number than the winner’s.`,
  )
  // Older passes do not state theirs.
  if (pass.slate) checkSlate(step, pass.slate, receipt.slate)
  if (!secret) return
  const key = lotteryKey(secret, receipt)
  const slate = pass.slate ?? receipt.slate
  const share = slateShare(Date.parse(pass.at) - Date.parse(receipt.askedAt), slate)
  const values = window.map(({ number }) => lotteryValue(key, bytes(number)))
  step(
    values[draw.slot] < share,
    `Its lottery value was inside the slate of ${Math.round(share * 1000) / 10}% of the club.`,
    `Its lottery value was not inside the slate of ${Math.round(share * 1000) / 10}% of the club.`,
  )
  // A circle of three only moves a member behind the others of their band.
  const skipped = draw.skipped.filter(
    ({ slot, reason }) => reason !== 'circle' || window[slot]?.band === window[draw.slot]?.band,
  )
  const excused = new Set([...pass.draws, ...skipped].map(({ slot }) => slot))
  const score = (slot) => window[slot].band + values[slot]
  const better = window
    .map((_, slot) => slot)
    .filter((slot) => values[slot] < share)
    .filter(
      (slot) => score(slot) < score(draw.slot) || (score(slot) === score(draw.slot) && slot < draw.slot),
    )
  const left = new Set(draw.skipped.map(({ slot }) => slot))
  const elsewhere = better.filter((slot) => !left.has(slot)).length
  const passedOver = better.filter((slot) => !excused.has(slot)).map((slot) => slot + 1)
  step(
    passedOver.length === 0,
    better.length === 0
      ? 'No place was better.'
      : `Better places: ${better.length}, of which ${elsewhere} got another request of the same pass and ` +
          `${better.length - elsewhere} were left out for a reason. A reason is the club’s word.`,
    `Better places without a reason: ${passedOver.join(', ')}.`,
  )
}

/** A club may have changed its rule since, but it has to say so. */
function checkSlate(step, slate, rule) {
  if (Math.round(slate.start * 1e6) / 1e6 !== slate.start)
    return step(false, 'The slate isn’t a whole share.')
  const isRule = slate.start === rule.start && slate.doublingMs === rule.doublingMs
  const stated = `The pass states a slate of ${asText(slate)}`
  step(
    isRule ? true : null,
    isRule
      ? `${stated}, which is the club’s rule.`
      : `${stated}. The club’s rule was ${asText(rule)} when the receipt was issued: ask when it changed.`,
  )
}

function asText({ start, doublingMs }) {
  return `${Math.round(start * 1000) / 10}%, doubling every ${Math.round(doublingMs / 6000) / 10} minutes`
}

/**
 * A member who could be asked, and whose place was before the cut-off, must be in the list of this pass or of
 * another one of that moment. `me` is of the week of `now`.
 */
function checkMe(steps, pass, me, now) {
  if (pass.list === null)
    return later(steps, 'The list of this pass was deleted, so you can’t look for yourself.')
  const window = readWindow(pass.list)
  const place = window.findIndex(({ number }) => number === me.number)
  if (place >= 0) return check(steps, true, `Your number is in the list, at place ${place + 1}.`)
  if (weekOf(Date.parse(pass.at)) !== weekOf(now))
    return later(
      steps,
      'Your number changes each week, and this pass was in another one: look in newer ones.',
    )
  const { cut } = pass
  if (cut === null && me.band > Math.max(highestBandAtOnce, window.at(-1)?.band ?? 0))
    return later(
      steps,
      'Your number is not in the list. You are ahead, so you are asked only while a review for you is on ' +
        'its way or for requests that have waited for hours, and the list doesn’t say whether either was so.',
    )
  const before =
    cut === null || me.band < cut.band || (me.band === cut.band && me.turn < Date.parse(cut.turn))
  check(
    steps,
    !before,
    before
      ? `Your number is not in the list, although ${
          cut === null ? 'no one was cut off' : 'your place was before the cut-off'
        }. If you had an open offer, a cooldown or a rest, or weren’t ${phases[pass.phase]} then, that is ` +
          'as it should be. If you could be asked, and no other pass of that moment has you, you were left ' +
          'out: write to the club.'
      : 'Your place was behind the cut-off, so this draw didn’t get to you.',
  )
}

function checkPassFile(steps, pass, me, now) {
  check(
    steps,
    pass.list !== null && passHash(pass) === pass.hash,
    'The pass matches its hash.',
    'The pass doesn’t match its hash.',
  )
  check(
    steps,
    pass.list !== null && isConsistent(pass, readWindow(pass.list)),
    'The list agrees with the pass.',
    'The list contradicts the pass.',
  )
  if (me) checkMe(steps, pass, me, now)
}

const weekOf = (ms) => Math.floor(ms / weekMs)

// The public list.

function checkDays(steps, { records }, { ticket, daySecret, head, askedAt }, now) {
  const broken = records.find(
    (record, at) =>
      record.number !== at + 1 ||
      record.previousHash !== (records[at - 1]?.hash ?? null) ||
      recordHash(record) !== record.hash,
  )
  check(
    steps,
    !broken,
    broken
      ? `The list of the days is broken at number ${broken.number}.`
      : 'The list of the days is unbroken.',
  )
  if (head && records.length < head.number)
    later(steps, 'The list of the days is older than the receipt. Save it again.')
  else
    check(
      steps,
      head !== null && records[head.number - 1]?.hash === head.hash,
      'The list still begins as it did when the receipt was issued.',
      head === null
        ? 'The receipt doesn’t say how the list ended when it was issued, as each receipt does.'
        : 'The list was changed after the receipt was issued, or the receipt is of another club.',
    )
  const find = (kind) => records.find((record) => record.kind === kind && record.day === ticket.day)
  const committed = find('committed')
  check(
    steps,
    committed?.value === ticket.dayHash && Date.parse(committed.at) <= Date.parse(askedAt),
    'The hash of the day’s secret was published before the request.',
    'The list has no such hash for the day, or published it after the request.',
  )
  const revealed = find('revealed')
  if (!revealed && daySecret === null) {
    const isWithheld = now > Date.parse(ticket.day) + withheldAfterMs
    if (isWithheld)
      return check(
        steps,
        false,
        'The day’s secret is overdue. The list should hold it since the night after the day.',
      )
    return later(steps, 'The day’s secret is not in the list yet.')
  }
  if (!revealed) return check(steps, false, 'The list doesn’t hold the day’s secret that the receipt has.')
  check(
    steps,
    Date.parse(revealed.at) >= Date.parse(ticket.day) + dayMs,
    'The day’s secret was published after the day.',
    'The day’s secret was published before its day was over, so a request of that day could be fitted to it.',
  )
  const secret = revealed.value.slice(0, 64)
  check(
    steps,
    sha256(bytes(secret)) === ticket.dayHash && (daySecret === null || secret === daySecret),
    'The published secret of the day matches the hash and the receipt.',
    'The published secret of the day matches neither the hash nor the receipt.',
  )
}

/** A file of another club says nothing about this draw. */
function checkClub(steps, receipt, files) {
  const others = files.filter(({ club }) => club !== receipt.club).map(({ club }) => club)
  check(
    steps,
    others.length === 0,
    `All files are of ${receipt.club}.`,
    `The receipt is of ${receipt.club}, and another file of ${others[0]}.`,
  )
}

function checkDay(steps, { day, passes, records: stated }, { records }, drawn) {
  const ofDay = records.filter((record) => record.day === day)
  check(
    steps,
    stated.length === ofDay.length &&
      stated.every((record, at) => record.hash === ofDay[at].hash && recordHash(record) === record.hash),
    'The records in the file of the day are those of the list of the days.',
    'The records in the file of the day aren’t those of the list of the days.',
  )
  const revealed = records.find((record) => record.kind === 'revealed' && record.day === day)
  if (!revealed) return later(steps, 'The passes of this day are not published yet.')
  const ofPasses = hex(whole(passes.length)) + sha256(...passes.flatMap(passParts))
  check(
    steps,
    revealed.value.slice(64) === ofPasses,
    'The passes of the day are those that the list of the days states.',
    'The passes of the day aren’t those that the list of the days states.',
  )
  for (const pass of drawn.filter(({ at }) => at.slice(0, 10) === day)) {
    const there = passes.some(
      ({ chain, number, hash }) => chain === pass.chain && number === pass.number && hash === pass.hash,
    )
    const name = `Pass ${pass.number} of ${pass.chain}`
    check(steps, there, `${name} is among them.`, `${name} isn’t among them, or not with this hash.`)
  }
}

// How everything is computed.

function ticketSecret(daySecret, number) {
  return hmac(daySecret, whole(number))
}

function lotteryKey(secret, { nonce, beacon }) {
  if (!beacon || beacon.signature === null) return hmac(secret, bytes(nonce))
  const parts = [bytes(nonce), whole(beacon.round), bytes(sha256(bytes(beacon.signature)))]
  return hmac(secret, Buffer.concat(parts))
}

function slateShare(ageMs, { start, doublingMs }) {
  return Math.min(1, start * 2 ** (Math.max(0, ageMs) / doublingMs))
}

/** Four Feistel rounds over the number's two halves, with the 32-bit finalizer of MurmurHash3. */
function lotteryValue(key, number) {
  const k = Array.from({ length: 8 }, (_, at) => key.readInt32BE(at * 4))
  let left = number.readInt32BE(0) ^ k[4]
  let right = number.readInt32BE(4) ^ k[5]
  left ^= finalize(right ^ k[0])
  right ^= finalize(left ^ k[1])
  left ^= finalize(right ^ k[2])
  right ^= finalize(left ^ k[3])
  left = (left ^ k[6]) >>> 0
  right = (right ^ k[7]) >>> 0
  return (left * 2 ** 16 + (right >>> 16)) / 2 ** 48
}

function finalize(word) {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

function readWindow(list) {
  return (list.match(/.{18}/g) ?? []).map((place) => ({
    number: place.slice(0, 16),
    band: Number.parseInt(place.slice(16), 16),
  }))
}

function isConsistent(pass, window) {
  const slots = new Set(pass.draws.map(({ slot }) => slot))
  return (
    pass.list.length % 18 === 0 &&
    pass.candidates === window.length &&
    pass.matched === pass.draws.length &&
    pass.matched <= pass.requests &&
    slots.size === pass.draws.length &&
    window.every(({ band }, at) => at === 0 || band >= window[at - 1].band) &&
    (pass.cut === null || pass.cut.band === window.at(-1)?.band)
  )
}

function drawDigest({ ticket, nonce, askedAt, beacon }, { slot, winner, skipped }) {
  return sha256(
    bytes(ticket.commitment),
    bytes(nonce),
    whole(Date.parse(askedAt)),
    whole(slot),
    bytes(winner),
    ...skipped.flatMap((place) => [whole(place.slot), Buffer.of(skipCodes[place.reason] ?? 0)]),
    ...(beacon ? [whole(Date.parse(beacon.from)), whole(beacon.round), bytes(beacon.signature ?? '')] : []),
  )
}

function chainHash({ period, genesis, publicKey, seed, name }) {
  const [four, eight] = [whole(period).subarray(4), whole(genesis)]
  return sha256(four, eight, bytes(publicKey), bytes(seed), Buffer.from(name))
}

function passHash(pass) {
  return sha256(
    pass.previousHash === null ? Buffer.alloc(32) : bytes(pass.previousHash),
    ...chainParts(pass),
    whole(Date.parse(pass.at)),
    whole(pass.phase),
    whole(pass.requests),
    whole(pass.candidates),
    whole(pass.matched),
    Buffer.of(pass.cut === null ? 0 : 1),
    whole(pass.cut?.band ?? 0),
    whole(pass.cut ? Date.parse(pass.cut.turn) : 0),
    ...(pass.slate ? [whole(Math.round(pass.slate.start * 1e6)), whole(pass.slate.doublingMs)] : []),
    ...pass.draws.flatMap(({ slot, digest }) => [whole(slot), bytes(digest)]),
    bytes(pass.list),
  )
}

function passParts(pass) {
  return [...chainParts(pass), bytes(pass.hash)]
}

function chainParts({ chain, number }) {
  const name = Buffer.from(chain)
  return [whole(name.length), name, whole(number)]
}

function recordHash({ number, kind, day, at, value, previousHash }) {
  return sha256(
    previousHash === null ? Buffer.alloc(32) : bytes(previousHash),
    whole(number),
    Buffer.of(kind === 'committed' ? 1 : 2),
    whole(Date.parse(day)),
    whole(Date.parse(at)),
    bytes(value),
  )
}

/** `otherwise`: what it means when it does not hold. */
function check(steps, ok, text, otherwise = text) {
  steps.push({ ok, text: ok === false ? otherwise : text })
}

function later(steps, text) {
  steps.push({ ok: null, text })
}

function isHex(text, length) {
  return typeof text === 'string' && text.length === length * 2 && /^[0-9a-f]*$/.test(text)
}

function bytes(text) {
  return Buffer.from(text, 'hex')
}

function hex(buffer) {
  return buffer.toString('hex')
}

function whole(number) {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(BigInt(number))
  return buffer
}

function sha256(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

function hmac(key, message) {
  return createHmac('sha256', key).update(message).digest()
}

const startedHere = process.argv[1] && pathToFileURL(realpathSync(process.argv[1])).href === import.meta.url
if (startedHere) await main(process.argv.slice(2))

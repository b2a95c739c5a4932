#!/usr/bin/env node
// Checks the club's ledger offline, with nothing but Node. How it works: docs/signed-statements.md.
//
//   node verify-ledger.mjs statement.json seals.json keys.json    a member's own entries
//   node verify-ledger.mjs ledger-chain.csv seals.json            the whole chain, for an auditor
//
// seals.json: what /api/ledger-seals answers (several pages may be given). keys.json: /api/signing-keys.
// Each file is known by its content; the order does not matter. Ends with 0 when all is right, with 1 when
// anything is wrong, and with 3 when nothing is wrong but something could not be checked.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const zeros = '00'.repeat(32)
const bytes = (hex) => Buffer.from(hex, 'hex')
const sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const hexOf = (...parts) => sha256(...parts).toString('hex')
const hashLines = (...lines) => hexOf(lines.join('\n'))

function leafOf({ day, reason, delta, owner, details }) {
  return hashLines('evenhand-ledger-entry/1', day, reason, delta, owner, details)
}

function linkOf(previous, number, leaf) {
  const seq = Buffer.alloc(8)
  seq.writeBigInt64BE(BigInt(number))
  return hexOf(bytes(previous), seq, bytes(leaf))
}

function sealOf({ number, day, root, head }, previous) {
  return hashLines('evenhand-ledger-seal/1', number, day, root, head, previous)
}

/** The root of a seal's tree: its leaves and the fillers, sorted. */
function rootOf(leaves, salt) {
  let size = 64
  while (size < leaves.length) size *= 2
  const whole = (value) => {
    const four = Buffer.alloc(4)
    four.writeUInt32BE(value)
    return four
  }
  const fillers = Array.from({ length: size - leaves.length }, (_, at) =>
    sha256(Buffer.of(2), bytes(salt), whole(at)),
  )
  let level = [...leaves.map(bytes), ...fillers]
    .map((leaf) => sha256(Buffer.of(0), leaf))
    .sort(Buffer.compare)
  while (level.length > 1) {
    level = Array.from({ length: level.length / 2 }, (_, at) =>
      sha256(Buffer.of(1), level[at * 2], level[at * 2 + 1]),
    )
  }
  return level[0].toString('hex')
}

function rootOfPath(leaf, { place, path }) {
  let hash = sha256(Buffer.of(0), bytes(leaf))
  path.forEach((neighbor, depth) => {
    const pair = (place >> depth) & 1 ? [bytes(neighbor), hash] : [hash, bytes(neighbor)]
    hash = sha256(Buffer.of(1), ...pair)
  })
  return hash.toString('hex')
}

/** The published seals, in order: their numbers without a gap, and each hash over the one before. */
function checkSeals(seals) {
  const faults = []
  let previous = zeros
  seals.forEach((seal, at) => {
    if (seal.number !== at + 1) faults.push(`Seal ${at + 1} is missing.`)
    if (sealOf(seal, previous) !== seal.hash) faults.push(`Seal ${seal.number} was changed.`)
    previous = seal.hash
  })
  return faults
}

/** A member's statement: its sums, its signature, and the proof of each entry. */
function checkStatement(text, { seals, keys }) {
  const faults = []
  const notes = []
  const { signature, statement } = JSON.parse(text)
  let balance = statement.previousBalance
  const published = new Map((seals ?? []).map((seal) => [seal.number, seal]))
  const own = new Map(statement.seals.map((seal) => [seal.number, seal]))
  let waiting = 0
  statement.entries.forEach((entry, at) => {
    const name = `Entry ${at + 1} (${entry.day}, ${entry.reason})`
    balance += entry.delta
    if (entry.balance !== balance) faults.push(`${name}: the balance does not add up.`)
    if (!entry.proof) return faults.push(`${name} is not in the chain.`)
    if (!entry.proof.sealed) return (waiting += 1)
    const owner = hexOf(bytes(entry.proof.salt), bytes(statement.owner ?? ''))
    const leaf = leafOf({ ...entry, owner, details: entry.proof.details })
    const seal = own.get(entry.proof.sealed.seal)
    if (!seal || rootOfPath(leaf, entry.proof.sealed) !== seal.root) {
      faults.push(`${name} is not under the root of its seal.`)
    }
  })
  if (statement.balance !== balance) faults.push('The balance does not add up.')
  for (const seal of statement.seals) {
    if (sealOf(seal, seal.previous) !== seal.hash) faults.push(`Seal ${seal.number} was changed.`)
    if (seals && published.get(seal.number)?.hash !== seal.hash) {
      faults.push(`Seal ${seal.number} is not the one that was published.`)
    }
  }
  if (!seals) notes.push('Not compared with the published seals: give /api/ledger-seals too.')
  notes.push(...noteWaiting(waiting, statement.entries))
  if (!keys) notes.push('The signature was not checked: give /api/signing-keys too.')
  else if (!isSigned(text, { signature, keyId: statement.keyId, keys })) {
    faults.push('The signature does not match.')
  }
  return { faults, notes, entries: statement.entries.length }
}

function noteWaiting(waiting, entries) {
  return waiting > 0 ? [`${waiting} of ${entries.length} entries wait for the next seal.`] : []
}

function isSigned(text, { signature, keyId, keys }) {
  const key = keys.find(({ kid }) => kid === keyId)
  if (!key || typeof signature !== 'string') return false
  const signed = text.slice(text.indexOf('"statement":') + '"statement":'.length, text.lastIndexOf('}'))
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' })
  return verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url'))
}

/** The whole chain: no number missing, every hash over the one before, the sum 0, every seal as published. */
function checkChain(text, { seals }) {
  const faults = []
  const notes = []
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(Boolean)
    .slice(1)
  const entries = rows.map((row) => {
    const cells = row
      .slice(1, -1)
      .split('","')
      .map((cell) => cell.replace(/^'/, ''))
    const [number, day, reason, delta, owner, details, hash, seal, salt] = cells
    return { number: Number(number), day, reason, delta: Number(delta), owner, details, hash, seal, salt }
  })
  let previous = zeros
  let expected = 1
  let sum = 0
  let waiting = 0
  const sealed = new Map()
  for (const entry of entries) {
    if (entry.number !== expected) faults.push(`Entry ${expected} is missing.`)
    const leaf = leafOf(entry)
    if (linkOf(previous, entry.number, leaf) !== entry.hash) faults.push(`Entry ${entry.number} was changed.`)
    previous = entry.hash
    expected = entry.number + 1
    sum += entry.delta
    if (!entry.seal) {
      waiting += 1
      continue
    }
    const known = sealed.get(Number(entry.seal)) ?? { leaves: [], salt: entry.salt }
    sealed.set(Number(entry.seal), { ...known, leaves: [...known.leaves, leaf], head: entry.hash })
  }
  if (sum !== 0) faults.push(`The sum is ${sum} and not 0.`)
  for (const [number, { leaves, salt, head }] of sealed) {
    const seal = (seals ?? []).find((one) => one.number === number)
    if (!seal) {
      if (seals) faults.push(`Seal ${number} was not published.`)
    } else if (seal.head !== head || seal.root !== rootOf(leaves, salt)) {
      faults.push(`The entries are not those of seal ${number}.`)
    }
  }
  if (!seals) notes.push('Not compared with the published seals: give /api/ledger-seals too.')
  // What is missing after the last seal cannot be found yet.
  notes.push(...noteWaiting(waiting, entries))
  for (const { number } of seals ?? []) {
    if (!sealed.has(number)) faults.push(`The entries of seal ${number} are missing.`)
  }
  return { faults, notes, entries: entries.length }
}

/** The files by what they are. Throws a message for the reader when one is none of these. */
function readFiles(files) {
  const kinds = { statements: [], chains: [], seals: undefined, keys: undefined }
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    if (/^\uFEFF?"Number"/.test(text)) {
      kinds.chains.push(text)
      continue
    }
    const json = readJson(text)
    if (json?.statement) kinds.statements.push(text)
    else if (json?.seals) kinds.seals = [...(kinds.seals ?? []), ...json.seals]
    else if (json?.keys) kinds.keys = json.keys
    else throw new Error(`${file} is no signed statement, no seals, no keys and no chain of the ledger.`)
  }
  if (files.length === 0) throw new Error(usage)
  return kinds
}

const usage = `Give the files to check:
  node verify-ledger.mjs statement.json seals.json keys.json
The statement is on your page “Ledger”. The seals and the keys are at /api/ledger-seals and
/api/signing-keys.`

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function run(files) {
  if (files.includes('--help')) return console.log(usage)
  let kinds
  try {
    kinds = readFiles(files)
  } catch (error) {
    console.log(error.message)
    process.exitCode = 1
    return
  }
  kinds.seals?.sort((one, other) => one.number - other.number)
  const results = [
    ...(kinds.seals
      ? [{ name: 'Seals', faults: checkSeals(kinds.seals), notes: [], entries: kinds.seals.length }]
      : []),
    ...kinds.statements.map((text) => ({ name: 'Statement', ...checkStatement(text, kinds) })),
    ...kinds.chains.map((text) => ({ name: 'Chain', ...checkChain(text, kinds) })),
  ]
  for (const { name, faults, notes, entries } of results) {
    const right = notes.length === 0 ? 'all right' : 'nothing wrong so far'
    console.log(`${name}: ${entries} checked, ${faults.length === 0 ? right : `${faults.length} wrong`}`)
    for (const line of [...faults, ...notes]) console.log(`  ${line}`)
  }
  if (results.length === 0) console.log(usage)
  const isWrong = results.length === 0 || results.some(({ faults }) => faults.length > 0)
  const isOpen = results.some(({ notes }) => notes.length > 0)
  process.exitCode = isWrong ? 1 : isOpen ? 3 : 0
}

const startedHere = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
if (startedHere) run(process.argv.slice(2))

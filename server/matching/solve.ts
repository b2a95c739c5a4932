/**
 * One pass of the rotation: which member is asked to take which request.
 *
 * Promises, for the requests of one window (in queue order) and its candidates (in rotation order):
 * - each request gets at most one candidate, each candidate at most one request, and only where `score` is finite;
 * - two members are never paired both ways in one pass (A reviews B while B reviews A);
 * - as many requests as possible are served, and when some cannot be, the later ones in the queue wait;
 * - nobody is passed over for a worse candidate: one who is free and better placed gets the request;
 * - the same window gives the same answer, whatever order its edges were forbidden in.
 *
 * Without the ban on pairs the answer is a maximum matching. With it the problem is NP-hard: of each clashing
 * pair one edge is cut and the pass solved again, and other cuts are tried while a match is lost.
 *
 * Reads of typed arrays end in `!`: every index is a loop's own or was written before, so none is out of range.
 */
const NOBODY = -1

/** Windows up to this many requests try other cuts when the ban cost a match; larger ones keep the first cuts. */
const SMALL_WINDOW = 64
const RESTARTS = 128

export type PassInput = {
  /** In queue order: an earlier request is served first. */
  requests: readonly { sellerId: string }[]
  /** In rotation order, each member once. */
  candidates: readonly { memberId: string }[]
  /** Lower is better; Infinity when this member may not be asked. Read once for each edge. */
  score: (request: number, candidate: number) => number
  forbidden?: readonly (readonly [request: number, candidate: number])[]
  /** How many other cuts a small window may try. */
  restarts?: number
}

export type Matching = {
  /** Number of requests that got a candidate. */
  size: number
  /** By request: the index of its candidate, or -1. */
  candidateOf: Int32Array
  /** By candidate: the index of their request, or -1. */
  requestOf: Int32Array
}

/** Why a candidate did not get a request: busy in this pass, cut after a look at history, may not be asked, or paired the other way round. */
type Skip = 'taken' | 'forbidden' | 'refused' | 'reciprocal'

export type PassWindow = {
  /** Cuts an edge that turned out not to be allowed; the next `solve` avoids it. */
  forbid: (request: number, candidate: number) => void
  solve: () => Matching
  /** What stood between the two in the last `solve`, or null when nothing did. */
  whySkipped: (request: number, candidate: number) => Skip | null
}

/** Solves one window in one go. Callers that look chosen edges up in the database use `openWindow`. */
export function solve(input: PassInput): Matching {
  return openWindow(input).solve()
}

/** A window that can be solved again after more of its edges were forbidden; scores are read once, here. */
export function openWindow(input: PassInput): PassWindow {
  const board = layOut(input)
  const restarts = board.requests <= SMALL_WINDOW ? (input.restarts ?? RESTARTS) : 0
  const forbidden = new Set<number>()

  function forbid(request: number, candidate: number) {
    const edge = request * board.candidates + candidate
    if (board.score[edge] === Infinity) return
    forbidden.add(edge)
    board.score[edge] = Infinity
    closeEdge(board, request, candidate)
  }

  for (const [request, candidate] of input.forbidden ?? []) forbid(request, candidate)

  return {
    forbid,
    solve() {
      clear(board)
      serveInOrder(board)
      cutClashes(board, restarts)
      settle(board)
      return {
        size: countServed(board),
        candidateOf: board.candidateOf.slice(),
        requestOf: board.requestOf.slice(),
      }
    },
    whySkipped(request, candidate) {
      const edge = request * board.candidates + candidate
      const holder = board.requestOf[candidate]!
      if (holder === request) return null
      if (holder !== NOBODY) return 'taken'
      if (forbidden.has(edge)) return 'forbidden'
      if (board.score[edge] === Infinity) return 'refused'
      return clashes(board, request, candidate) ? 'reciprocal' : null
    },
  }
}

/** The window as flat arrays. `open`, `free`, `seen` and `dead` are bit sets over the candidates. */
type Board = {
  requests: number
  candidates: number
  words: number
  score: Float64Array
  open: Uint32Array
  free: Uint32Array
  seen: Uint32Array
  dead: Uint32Array
  /** By request: the candidate who is its seller, or -1 when the seller is not in the window. */
  seller: Int32Array
  candidateOf: Int32Array
  requestOf: Int32Array
  /** By candidate: the request from which a search reached them. */
  from: Int32Array
  queue: Int32Array
}

function layOut({ requests, candidates, score }: PassInput): Board {
  const words = (candidates.length + 31) >>> 5
  const board: Board = {
    requests: requests.length,
    candidates: candidates.length,
    words,
    score: new Float64Array(requests.length * candidates.length),
    open: new Uint32Array(requests.length * words),
    free: new Uint32Array(words),
    seen: new Uint32Array(words),
    dead: new Uint32Array(words),
    seller: new Int32Array(requests.length),
    candidateOf: new Int32Array(requests.length),
    requestOf: new Int32Array(candidates.length),
    from: new Int32Array(candidates.length),
    queue: new Int32Array(requests.length + 1),
  }
  const place = new Map(candidates.map((candidate, index) => [candidate.memberId, index]))
  for (const [request, { sellerId }] of requests.entries()) {
    const seller = place.get(sellerId) ?? NOBODY
    board.seller[request] = seller
    for (let candidate = 0; candidate < candidates.length; candidate++) {
      const value = candidate === seller ? Infinity : score(request, candidate)
      const allowed = value < Infinity
      board.score[request * candidates.length + candidate] = allowed ? value : Infinity
      if (allowed) openEdge(board, request, candidate)
    }
  }
  return board
}

/**
 * Each request in turn takes its best free candidate, or moves earlier requests along an augmenting path.
 * A request that was served stays served, so those left out are the latest possible.
 */
function serveInOrder(board: Board) {
  board.dead.fill(0)
  for (let request = 0; request < board.requests; request++) {
    const best = bestFree(board, request)
    if (best === NOBODY) makeRoom(board, request)
    else assign(board, request, best)
  }
}

/** The best free candidate of a request that clashes with nobody, no worse than the one it has; ties go by rotation. */
function bestFree(board: Board, request: number): number {
  const { score, requestOf, candidates } = board
  const row = request * candidates
  let best = board.candidateOf[request]!
  let lowest = best === NOBODY ? Infinity : score[row + best]!
  for (let candidate = 0; candidate < candidates; candidate++) {
    const value = score[row + candidate]!
    if (value > lowest || (value === lowest && candidate >= best)) continue
    if (requestOf[candidate] !== NOBODY || clashes(board, request, candidate)) continue
    best = candidate
    lowest = value
  }
  return best
}

/**
 * Finds a place for a request that has none: breadth first along open edges to a free candidate, moving the requests
 * on the way. Candidates reached in vain stay `dead`: no later search gets through them until an edge is closed.
 */
function makeRoom(board: Board, request: number) {
  const { open, free, seen, dead, words, from, queue, requestOf } = board
  seen.set(dead)
  queue[0] = request
  let end = 1
  let clashing = NOBODY
  for (let next = 0; next < end; next++) {
    const at = queue[next]!
    const row = at * words
    for (let word = 0; word < words; word++) {
      let fresh = open[row + word]! & ~seen[word]!
      if (fresh === 0) continue
      seen[word]! |= fresh
      const vacant = free[word]!
      while (fresh !== 0) {
        const bit = fresh & -fresh
        fresh ^= bit
        const candidate = word * 32 + 31 - Math.clz32(bit)
        from[candidate] = at
        if ((vacant & bit) === 0) queue[end++] = requestOf[candidate]!
        else if (clashes(board, at, candidate)) clashing = candidate
        else return shift(board, candidate)
      }
    }
  }
  // A place that clashes is still a place: the clash is cut afterwards, when all requests have been served.
  if (clashing === NOBODY) dead.set(seen)
  else shift(board, clashing)
}

/** Moves every request on the path that reached `candidate` one step along it. */
function shift(board: Board, candidate: number) {
  const { from, candidateOf, requestOf } = board
  take(board, candidate)
  for (let to = candidate; to !== NOBODY;) {
    const request = from[to]!
    const before = candidateOf[request]!
    candidateOf[request] = to
    requestOf[to] = request
    to = before
  }
}

/**
 * Removes every pair that is used both ways. Each clash has two ways out, one for each of its edges; the search goes
 * down the one that keeps more requests served, and comes back for the others while a match is missing and restarts
 * are left. No way down can serve more than the uncut window did, so it stops as soon as that many are served.
 */
function cutClashes(board: Board, restarts: number) {
  let best: Int32Array | null = null
  let bestSize = -1
  let left = restarts

  function descend() {
    const clash = findClash(board)
    if (clash === null) {
      best = board.candidateOf.slice()
      bestSize = countServed(board)
      return
    }
    const before = board.candidateOf.slice()
    const ways = clash.map((request) => {
      const candidate = before[request]!
      cut(board, request, candidate)
      const way = { request, candidate, size: countServed(board), state: board.candidateOf.slice() }
      openEdge(board, request, candidate)
      load(board, before)
      return way
    })
    ways.sort((one, other) => other.size - one.size)
    for (const [index, way] of ways.entries()) {
      if (way.size <= bestSize || (index > 0 && left-- <= 0)) return
      closeEdge(board, way.request, way.candidate)
      load(board, way.state)
      descend()
      openEdge(board, way.request, way.candidate)
    }
  }

  descend()
  if (best !== null) load(board, best)
}

/** Two requests whose sellers were paired both ways, the later first: its edge is the first to be cut. */
function findClash(board: Board): [later: number, earlier: number] | null {
  for (let request = board.requests - 1; request > 0; request--) {
    const candidate = board.candidateOf[request]!
    if (candidate !== NOBODY && clashes(board, request, candidate)) {
      return [request, board.requestOf[board.seller[request]!]!]
    }
  }
  return null
}

/** Closes an edge in use, then finds places again for all who have none. */
function cut(board: Board, request: number, candidate: number) {
  closeEdge(board, request, candidate)
  release(board, request)
  board.dead.fill(0)
  for (let waiting = 0; waiting < board.requests; waiting++) {
    if (board.candidateOf[waiting] === NOBODY) makeRoom(board, waiting)
  }
}

/** Moves requests to better free candidates, and serves those the cuts left out, until nothing can be bettered. */
function settle(board: Board) {
  for (let moved = true; moved;) {
    moved = false
    for (let request = 0; request < board.requests; request++) {
      const best = bestFree(board, request)
      if (best !== board.candidateOf[request]) {
        release(board, request)
        assign(board, request, best)
        moved = true
      } else if (best === NOBODY) {
        moved = takeTurn(board, request) || moved
      }
    }
  }
}

/** A request left out takes the candidate of the last request behind it that it could have had instead. */
function takeTurn(board: Board, request: number): boolean {
  for (let behind = board.requests - 1; behind > request; behind--) {
    const candidate = board.candidateOf[behind]!
    if (candidate === NOBODY || board.score[request * board.candidates + candidate] === Infinity) continue
    release(board, behind)
    if (!clashes(board, request, candidate)) {
      assign(board, request, candidate)
      return true
    }
    assign(board, behind, candidate)
  }
  return false
}

/** True when the seller of this request is, in this pass, already the reviewer of this candidate. */
function clashes(board: Board, request: number, candidate: number): boolean {
  const seller = board.seller[request]!
  if (seller === NOBODY) return false
  const reviewing = board.requestOf[seller]!
  return reviewing !== NOBODY && board.seller[reviewing] === candidate
}

function assign(board: Board, request: number, candidate: number) {
  board.candidateOf[request] = candidate
  board.requestOf[candidate] = request
  take(board, candidate)
}

function release(board: Board, request: number) {
  const candidate = board.candidateOf[request]!
  if (candidate === NOBODY) return
  board.candidateOf[request] = NOBODY
  board.requestOf[candidate] = NOBODY
  board.free[candidate >>> 5]! |= 1 << (candidate & 31)
}

function take(board: Board, candidate: number) {
  board.free[candidate >>> 5]! &= ~(1 << (candidate & 31))
}

function openEdge(board: Board, request: number, candidate: number) {
  board.open[request * board.words + (candidate >>> 5)]! |= 1 << (candidate & 31)
}

function closeEdge(board: Board, request: number, candidate: number) {
  board.open[request * board.words + (candidate >>> 5)]! &= ~(1 << (candidate & 31))
}

function clear(board: Board) {
  board.candidateOf.fill(NOBODY)
  board.requestOf.fill(NOBODY)
  board.free.fill(0xffffffff)
}

function load(board: Board, candidateOf: Int32Array) {
  clear(board)
  for (const [request, candidate] of candidateOf.entries()) {
    if (candidate !== NOBODY) assign(board, request, candidate)
  }
}

function countServed(board: Board): number {
  let served = 0
  for (const candidate of board.candidateOf) if (candidate !== NOBODY) served++
  return served
}

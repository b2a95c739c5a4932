/**
 * The matching of one pass: which member is offered which request.
 *
 * Promises, for the requests of one window (in queue order) and its candidates (in rotation order):
 * - each request gets at most one candidate, each candidate at most one request, and only where `score` is
 *   finite;
 * - two members are never paired in both directions in one pass (A reviews B while B reviews A);
 * - as many requests as possible are served, and when some cannot be, the later ones in the queue wait;
 * - a request goes to no candidate when a better one is free;
 * - the same window gives the same answer, whatever order its edges were forbidden in.
 *
 * Without the ban on pairs the answer is a maximum matching. With it the problem is NP-hard. One edge of each
 * clashing pair is cut and the pass is solved again. Other cuts are tried while a match is lost and effort is
 * left. That search is complete: where the effort suffices, as with up to 12 members, the answer is optimal.
 *
 * Reads of typed arrays end in `!`. Every index is a loop variable or was written before, so none is out of
 * range.
 */
const NONE = -1

/**
 * The words that the search for better cuts may read, about 10 ms. A count and not a time, so that the same
 * window gives the same answer on any machine.
 */
const EFFORT = 1_000_000

export type PassInput = {
  /** In queue order: an earlier request is served first. */
  requests: readonly { sellerId: string }[]
  /** In rotation order, each member once. */
  candidates: readonly { memberId: string }[]
  /** Lower is better; Infinity when this member may not be asked. Read once for each edge. */
  score: (request: number, candidate: number) => number
  forbidden?: readonly (readonly [request: number, candidate: number])[]
  /** How many words the search for better cuts may read. */
  effort?: number
}

export type Matching = {
  /** Number of requests that got a candidate. */
  size: number
  /** By request: the index of its candidate, or -1. */
  candidateOf: Int32Array
  /** By candidate: the index of their request, or -1. */
  requestOf: Int32Array
}

/**
 * Why a candidate did not get a request: taken in this pass, cut because of history, not allowed, or paired
 * in reverse.
 */
type Skip = 'taken' | 'forbidden' | 'refused' | 'reciprocal'

export type PassWindow = {
  /** Removes an edge that is not allowed. The next `solve` avoids it. */
  forbid: (request: number, candidate: number) => void
  solve: () => Matching
  /** Why the last `solve` did not pair the two; null when nothing prevented it. */
  whySkipped: (request: number, candidate: number) => Skip | null
}

/** Solves one window once. Callers that check the chosen edges in the database use `openWindow`. */
export function solve(input: PassInput): Matching {
  return openWindow(input).solve()
}

/**
 * A window that can be solved again after more of its edges were forbidden. It reads the scores once, at the
 * start.
 */
export function openWindow(input: PassInput): PassWindow {
  const graph = buildGraph(input)
  const forbidden = new Set<number>()

  function forbid(request: number, candidate: number) {
    const edge = request * graph.candidates + candidate
    if (graph.score[edge] === Infinity) return
    forbidden.add(edge)
    graph.score[edge] = Infinity
    closeEdge(graph, request, candidate)
  }

  for (const [request, candidate] of input.forbidden ?? []) forbid(request, candidate)

  return {
    forbid,
    solve() {
      clear(graph)
      serveInOrder(graph)
      cutClashes(graph, input.effort ?? EFFORT)
      improve(graph)
      return {
        size: countServed(graph),
        candidateOf: graph.candidateOf.slice(),
        requestOf: graph.requestOf.slice(),
      }
    },
    whySkipped(request, candidate) {
      const edge = request * graph.candidates + candidate
      const holder = graph.requestOf[candidate]!
      if (holder === request) return null
      if (holder !== NONE) return 'taken'
      if (forbidden.has(edge)) return 'forbidden'
      if (graph.score[edge] === Infinity) return 'refused'
      return clashes(graph, request, candidate) ? 'reciprocal' : null
    },
  }
}

/**
 * The requests and candidates of a window as flat arrays. `open`, `free`, `seen` and `dead` are bit sets of
 * candidates.
 */
type Graph = {
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
  /** By candidate: the request from which the search reached them. */
  from: Int32Array
  queue: Int32Array
  /** The words that were read to look for paths and to try cuts. */
  wordsRead: number
}

function buildGraph({ requests, candidates, score }: PassInput): Graph {
  const words = (candidates.length + 31) >>> 5
  const graph: Graph = {
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
    wordsRead: 0,
  }
  const place = new Map(candidates.map((candidate, index) => [candidate.memberId, index]))
  for (const [request, { sellerId }] of requests.entries()) {
    const seller = place.get(sellerId) ?? NONE
    graph.seller[request] = seller
    for (let candidate = 0; candidate < candidates.length; candidate++) {
      const value = candidate === seller ? Infinity : score(request, candidate)
      const allowed = value < Infinity
      graph.score[request * candidates.length + candidate] = allowed ? value : Infinity
      if (allowed) openEdge(graph, request, candidate)
    }
  }
  return graph
}

/**
 * Each request in turn takes its best free candidate, or moves earlier requests along an augmenting path.
 * A served request stays served, so the requests left out are the latest possible.
 */
function serveInOrder(graph: Graph) {
  graph.dead.fill(0)
  for (let request = 0; request < graph.requests; request++) {
    const best = bestFree(graph, request)
    if (best === NONE) augment(graph, request)
    else assign(graph, request, best)
  }
}

/**
 * The best free candidate of a request without a clash, at least as good as its present one. Ties go by
 * rotation.
 */
function bestFree(graph: Graph, request: number): number {
  const { score, requestOf, candidates } = graph
  const row = request * candidates
  let best = graph.candidateOf[request]!
  let lowest = best === NONE ? Infinity : score[row + best]!
  for (let candidate = 0; candidate < candidates; candidate++) {
    const value = score[row + candidate]!
    if (value > lowest || (value === lowest && candidate >= best)) continue
    if (requestOf[candidate] !== NONE || clashes(graph, request, candidate)) continue
    best = candidate
    lowest = value
  }
  return best
}

/**
 * Finds an augmenting path for an unserved request: a breadth-first search along open edges to a free
 * candidate. Candidates that lead nowhere stay `dead`, so later searches skip them until an edge is closed.
 */
function augment(graph: Graph, request: number) {
  const { open, free, seen, dead, words, from, queue, requestOf } = graph
  seen.set(dead)
  queue[0] = request
  let end = 1
  let clashing = NONE
  for (let next = 0; next < end; next++) {
    const at = queue[next]!
    const row = at * words
    graph.wordsRead += words
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
        else if (clashes(graph, at, candidate)) clashing = candidate
        else return shift(graph, candidate)
      }
    }
  }
  // A clashing candidate is taken too: `cutClashes` cuts the clash after all requests have been served.
  if (clashing === NONE) dead.set(seen)
  else shift(graph, clashing)
}

/** Moves each request on the path to `candidate` one step along the path. */
function shift(graph: Graph, candidate: number) {
  const { from, candidateOf, requestOf } = graph
  take(graph, candidate)
  for (let to = candidate; to !== NONE;) {
    const request = from[to]!
    const before = candidateOf[request]!
    candidateOf[request] = to
    requestOf[to] = request
    to = before
  }
}

/**
 * Removes every pair that is used both ways. Cutting either edge of a clash resolves it. The search first
 * cuts the edge that keeps more requests served, and tries the other one while a match is missing and
 * effort is left. No cut can serve more requests than the uncut window, so the search stops when that many
 * are served.
 */
function cutClashes(graph: Graph, effort: number) {
  const enough = graph.wordsRead + effort
  let best: Int32Array | null = null
  let bestSize = -1

  function descend() {
    const clash = findClash(graph)
    if (clash === null) {
      best = graph.candidateOf.slice()
      bestSize = countServed(graph)
      return
    }
    const before = graph.candidateOf.slice()
    const ways = clash.map((request) => {
      const candidate = before[request]!
      cut(graph, request, candidate)
      const way = { request, candidate, size: countServed(graph), state: graph.candidateOf.slice() }
      openEdge(graph, request, candidate)
      load(graph, before)
      return way
    })
    ways.sort((one, other) => other.size - one.size)
    for (const [index, way] of ways.entries()) {
      if (way.size <= bestSize || (index > 0 && graph.wordsRead >= enough)) return
      closeEdge(graph, way.request, way.candidate)
      load(graph, way.state)
      descend()
      openEdge(graph, way.request, way.candidate)
    }
  }

  descend()
  if (best !== null) load(graph, best)
}

/** Two requests whose sellers were paired both ways. The later one is first, since its edge is cut first. */
function findClash(graph: Graph): [later: number, earlier: number] | null {
  for (let request = graph.requests - 1; request > 0; request--) {
    const candidate = graph.candidateOf[request]!
    if (candidate !== NONE && clashes(graph, request, candidate)) {
      return [request, graph.requestOf[graph.seller[request]!]!]
    }
  }
  return null
}

/** Closes an edge in use, then serves the unserved requests again. */
function cut(graph: Graph, request: number, candidate: number) {
  graph.wordsRead += 4 * (graph.requests + graph.candidates)
  closeEdge(graph, request, candidate)
  release(graph, request)
  graph.dead.fill(0)
  for (let waiting = 0; waiting < graph.requests; waiting++) {
    if (graph.candidateOf[waiting] === NONE) augment(graph, waiting)
  }
}

/**
 * Moves requests to better free candidates and serves those that the cuts left out, until nothing improves.
 */
function improve(graph: Graph) {
  for (let moved = true; moved;) {
    moved = false
    for (let request = 0; request < graph.requests; request++) {
      const best = bestFree(graph, request)
      if (best !== graph.candidateOf[request]) {
        release(graph, request)
        assign(graph, request, best)
        moved = true
      } else if (best === NONE) {
        moved = takeTurn(graph, request) || moved
      }
    }
  }
}

/** An unserved request takes a suitable candidate from the last request behind it that has one. */
function takeTurn(graph: Graph, request: number): boolean {
  for (let behind = graph.requests - 1; behind > request; behind--) {
    const candidate = graph.candidateOf[behind]!
    if (candidate === NONE || graph.score[request * graph.candidates + candidate] === Infinity) continue
    release(graph, behind)
    if (!clashes(graph, request, candidate)) {
      assign(graph, request, candidate)
      return true
    }
    assign(graph, behind, candidate)
  }
  return false
}

/** Whether the seller of this request already reviews for this candidate in this pass. */
function clashes(graph: Graph, request: number, candidate: number): boolean {
  const seller = graph.seller[request]!
  if (seller === NONE) return false
  const reviewing = graph.requestOf[seller]!
  return reviewing !== NONE && graph.seller[reviewing] === candidate
}

function assign(graph: Graph, request: number, candidate: number) {
  graph.candidateOf[request] = candidate
  graph.requestOf[candidate] = request
  take(graph, candidate)
}

function release(graph: Graph, request: number) {
  const candidate = graph.candidateOf[request]!
  if (candidate === NONE) return
  graph.candidateOf[request] = NONE
  graph.requestOf[candidate] = NONE
  graph.free[candidate >>> 5]! |= 1 << (candidate & 31)
}

function take(graph: Graph, candidate: number) {
  graph.free[candidate >>> 5]! &= ~(1 << (candidate & 31))
}

function openEdge(graph: Graph, request: number, candidate: number) {
  graph.open[request * graph.words + (candidate >>> 5)]! |= 1 << (candidate & 31)
}

function closeEdge(graph: Graph, request: number, candidate: number) {
  graph.open[request * graph.words + (candidate >>> 5)]! &= ~(1 << (candidate & 31))
}

function clear(graph: Graph) {
  graph.candidateOf.fill(NONE)
  graph.requestOf.fill(NONE)
  graph.free.fill(0xffffffff)
}

function load(graph: Graph, candidateOf: Int32Array) {
  clear(graph)
  for (const [request, candidate] of candidateOf.entries()) {
    if (candidate !== NONE) assign(graph, request, candidate)
  }
}

function countServed(graph: Graph): number {
  let served = 0
  for (const candidate of graph.candidateOf) if (candidate !== NONE) served++
  return served
}

import { z } from 'zod'
import { call, done, id, refusing, time } from '../kit.ts'
import { restoreDrill } from '../site.ts'
import { hold } from '../waiting.ts'
import { healthRefusals } from './health-refusals.ts'
import { reason } from './reasons.ts'
import { advice, simulation, weights } from './rotation.ts'

/** A process is silent when it has not reported for this many seconds. */
export const silentAfterSeconds = 60

const runningProcess = z.object({
  id,
  kind: z.enum(['web', 'worker']),
  version: z.string(),
  node: z.string(),
  host: z.string(),
  pid: z.int(),
  streams: z.int().nullable(),
  startedAt: time,
  seenAt: time,
  silent: z.boolean(),
})
export type RunningProcess = z.infer<typeof runningProcess>

const queue = z.object({
  name: z.string(),
  waiting: z.int(),
  active: z.int(),
  /** Failed before, and waiting to be tried again. */
  retrying: z.int(),
  /** How long the longest-due job has been waiting. */
  waitSeconds: z.int(),
})

/** A job that failed as often as it may. */
const failedJob = z.object({
  id,
  queue: z.string(),
  /** The ids that it was given, as JSON text of at most 300 characters. */
  data: z.string(),
  error: z.string(),
  attempts: z.int(),
  failedAt: time,
})
export type FailedJob = z.infer<typeof failedJob>

const failedMail = z.object({
  id,
  template: z.string(),
  maskedAddress: z.string(),
  memberId: id.nullable(),
  error: z.string(),
  attempts: z.int(),
  createdAt: time,
  failedAt: time,
  /** Whether its content still exists, so that it can be sent again. */
  complete: z.boolean(),
})
export type FailedMail = z.infer<typeof failedMail>

const bouncedAddress = z.object({
  /** Names the address without showing it. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  maskedAddress: z.string(),
  memberId: id.nullable(),
  bouncedAt: time,
})
export type BouncedAddress = z.infer<typeof bouncedAddress>

const slowQuery = z.object({
  text: z.string(),
  calls: z.int(),
  meanMs: z.number(),
  totalMs: z.number(),
})

/** A run of the invariants that waits or goes on for longer is taken for lost. */
export const longestRunMinutes = 60

const invariantRun = z.object({
  id,
  requestedAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  breaches: z.array(z.object({ invariant: z.string(), rows: z.int() })),
  error: z.string().nullable(),
})
export type InvariantRun = z.infer<typeof invariantRun>

/** Why members cannot take a waiting request now, in the order in which the rules are looked at. */
export const waitingRules = [
  'not_taking_part',
  'has_offer',
  'on_cooldown',
  'in_quiet_hours',
  'not_here',
  'own_product',
  'overdue',
  'over_cap',
  'paired_before',
  'reviewed_before',
  'asked_recently',
  'conflict',
  'cannot_take',
  'not_in_slate',
] as const
const waitingRule = z.enum(waitingRules)
export type WaitingRule = z.infer<typeof waitingRule>

/** How a waiting request stands with the rules. */
const requestRules = z.object({
  /** What holds it back, so that no member is asked; null when the rules of the draw decide. */
  heldBy: hold.nullable(),
  requestedAt: time,
  /** Of each rule that leaves out members: how many. A member counts under the first rule that does. */
  excluded: z.array(z.object({ rule: waitingRule, members: z.int() })),
  /** Members whom the next pass may ask. */
  askable: z.int(),
})

/** One request by the rules: `members` of the club are `askable`, excluded, or not looked at. */
export const explainedRequest = requestRules.extend({ members: z.int(), notLookedAt: z.int() })
export type RequestRules = z.infer<typeof explainedRequest>

const waitingRequest = requestRules.extend({
  queueId: id,
  sellerId: id,
  productTitle: z.string(),
  status: z.enum(['queued', 'held']),
})
export type WaitingRequest = z.infer<typeof waitingRequest>

const one = z.strictObject({ id })
const discard = z.strictObject({ id, reason })

const backupRecord = z.object({
  at: time,
  /** The moment that it shows. */
  snapshotAt: time,
  bytes: z.int(),
  rows: z.int(),
  files: z.int(),
  encrypted: z.boolean(),
})
export type BackupRecord = z.infer<typeof backupRecord>

const drillRecord = z.object({
  at: time,
  /** Of the backup; null when none could be read. */
  snapshotAt: time.nullable(),
  /** Until the restored club could have served. */
  seconds: z.int(),
  rows: z.int(),
  files: z.int(),
  /** Why it failed, or null. */
  fault: z.string().nullable(),
})
export type DrillRecord = z.infer<typeof drillRecord>

export const health = {
  getProcesses: call
    .route({ method: 'GET', path: '/admin/health/processes', summary: 'Processes that run' })
    .output(z.object({ processes: z.array(runningProcess), serverTime: time })),
  getQueues: call
    .route({ method: 'GET', path: '/admin/health/queues', summary: 'Job queues and failed jobs' })
    .output(z.object({ queues: z.array(queue), failed: z.array(failedJob), failedCount: z.int() })),
  retryJob: call
    .route({ method: 'POST', path: '/admin/health/jobs/{id}/retry', summary: 'Run a failed job again' })
    .input(one)
    .output(done),
  discardJob: call
    .route({ method: 'POST', path: '/admin/health/jobs/{id}/discard', summary: 'Drop a failed job' })
    .input(discard)
    .output(done),
  getOutbox: call
    .route({ method: 'GET', path: '/admin/health/outbox', summary: 'Mails that wait or failed' })
    .output(
      z.object({
        waiting: z.int(),
        /** How long the longest-due mail has been waiting. */
        waitSeconds: z.int(),
        sentIn24Hours: z.int(),
        failed: z.array(failedMail),
        failedCount: z.int(),
        bounced: z.array(bouncedAddress),
        bouncedCount: z.int(),
      }),
    ),
  resendMail: call
    .route({ method: 'POST', path: '/admin/health/mails/{id}/resend', summary: 'Send a failed mail again' })
    .input(one)
    .output(done)
    .errors(refusing(healthRefusals)),
  discardMail: call
    .route({ method: 'POST', path: '/admin/health/mails/{id}/discard', summary: 'Drop a failed mail' })
    .input(discard)
    .output(done),
  clearBouncedAddress: call
    .route({ method: 'POST', path: '/admin/health/bounces/{key}/clear', summary: 'Send to it again' })
    .input(z.strictObject({ key: bouncedAddress.shape.key, reason }))
    .output(done),
  getDatabase: call
    .route({ method: 'GET', path: '/admin/health/database', summary: 'Size, tables and slow queries' })
    .output(
      z.object({
        version: z.string(),
        bytes: z.int(),
        connections: z.int(),
        mostConnections: z.int(),
        tables: z.array(z.object({ name: z.string(), bytes: z.int(), rows: z.int() })),
        /** Why the slow queries cannot be shown, or null. */
        slowMissing: z.enum(['not_loaded', 'not_created', 'not_allowed']).nullable(),
        slow: z.array(slowQuery),
      }),
    ),
  getInvariants: call
    .route({ method: 'GET', path: '/admin/health/invariants', summary: 'Latest runs of the invariants' })
    .output(z.object({ rules: z.int(), runs: z.array(invariantRun) })),
  runInvariants: call
    .route({ method: 'POST', path: '/admin/health/invariants', summary: 'Check the invariants now' })
    .output(z.object({ id })),
  getStorage: call
    .route({ method: 'GET', path: '/admin/health/storage', summary: 'Files, and space on their disk' })
    .output(
      z.object({
        measured: z.object({ files: z.int(), bytes: z.int(), at: time }).nullable(),
        /** Of the disk of this process; null where it cannot be read. */
        disk: z.object({ freeBytes: z.int(), totalBytes: z.int() }).nullable(),
      }),
    ),
  getBackups: call
    .route({ method: 'GET', path: '/admin/health/backups', summary: 'Latest backups and restore drills' })
    .output(
      z.object({
        backups: z.array(backupRecord),
        drills: z.array(drillRecord),
        goodDrill: restoreDrill.nullable(),
      }),
    ),
  measureStorage: call
    .route({ method: 'POST', path: '/admin/health/storage', summary: 'Count the files now' })
    .output(done),
  getRotation: call
    .route({ method: 'GET', path: '/admin/health/rotation', summary: 'Why requests wait' })
    .output(
      z.object({
        queued: z.int(),
        held: z.int(),
        members: z.int(),
        /** Available members that were not looked at, because there are too many. */
        notLookedAt: z.int(),
        oldest: z.array(waitingRequest),
      }),
    ),
  adviseClub: call
    .route({
      method: 'GET',
      path: '/admin/health/advice',
      summary: 'Whether the club is large enough for its limits',
    })
    .output(advice),
  simulateRotation: call
    .route({
      method: 'GET',
      path: '/admin/health/simulation',
      summary: 'What other weights would do in the next draw',
    })
    .input(weights)
    .output(simulation),
}

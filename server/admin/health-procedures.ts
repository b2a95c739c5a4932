import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { discardJob, retryJob } from '#server/kit/failed-jobs.ts'
import { runInvariants } from '#server/kit/invariant-runs.ts'
import { clearBouncedAddress, discardMail, resendMail } from '#server/kit/mail/failed-mails.ts'
import { measureStorage } from '#server/site/storage.ts'
import {
  adviseClub,
  getBackups,
  getDatabase,
  getInvariants,
  getOutbox,
  getProcesses,
  getQueues,
  getRotation,
  getStorage,
  simulateRotation,
} from './health.ts'

const calls = api.health

export const healthProcedures: Procedures<'health'> = {
  getProcesses: calls.getProcesses.by(getProcesses),
  getQueues: calls.getQueues.by(getQueues),
  retryJob: calls.retryJob.by((ctx, { id }) => retryJob(ctx, id)),
  discardJob: calls.discardJob.by(discardJob),
  getOutbox: calls.getOutbox.by(getOutbox),
  resendMail: calls.resendMail.by((ctx, { id }) => resendMail(ctx, id)),
  discardMail: calls.discardMail.by(discardMail),
  clearBouncedAddress: calls.clearBouncedAddress.by(clearBouncedAddress),
  getDatabase: calls.getDatabase.by(getDatabase),
  getInvariants: calls.getInvariants.by(getInvariants),
  runInvariants: calls.runInvariants.by(runInvariants),
  getStorage: calls.getStorage.by(getStorage),
  getBackups: calls.getBackups.by(getBackups),
  measureStorage: calls.measureStorage.by(measureStorage),
  getRotation: calls.getRotation.by(getRotation),
  adviseClub: calls.adviseClub.by(adviseClub),
  simulateRotation: calls.simulateRotation.by(simulateRotation),
}

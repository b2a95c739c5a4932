// The messages to our staff as a CSV file.
import { messageFilter } from '#contract/staff/support-desk.ts'
import { readMessages } from '#server/support/desk-reads.ts'
import { csvFile } from './csv-export.ts'

export const supportCsv = csvFile({
  base: 'support',
  action: 'support_exported',
  filter: messageFilter,
  readRows: readMessages,
  columns: [
    ['Name', ({ name }) => name],
    ['Email', ({ email }) => email],
    ['Subject', ({ subject }) => subject],
    ['Message', ({ message }) => message],
    ['Status', ({ status }) => status],
    ['Created At', ({ createdAt }) => createdAt],
    ['Resolved At', ({ resolvedAt }) => resolvedAt ?? 'N/A'],
  ],
})

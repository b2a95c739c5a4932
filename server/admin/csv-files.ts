import type { CsvName } from '#contract/rights.ts'
import type { CsvFile } from './csv-export.ts'
import { ledgerCsv } from './ledger-csv.ts'
import { logsCsv } from './logs.ts'
import { moneyCsv } from './money.ts'
import { supportCsv } from './support-csv.ts'
import { usersCsv } from './users.ts'

/** The CSV files of the staff area: one for each row of the table of rights. */
export const csvFiles: Readonly<Record<CsvName, CsvFile>> = {
  users: usersCsv,
  logs: logsCsv,
  support: supportCsv,
  money: moneyCsv,
  ledger: ledgerCsv,
}

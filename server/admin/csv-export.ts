// The lists of the staff area as CSV files. A file is sent page by page as it is read, so it may have any
// number of rows; nothing is held between two pages, whatever the pace of the browser.
import { sql } from 'kysely'
import type { z } from 'zod'
import type { CsvName } from '#contract/rights.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import { csvRow, csvStart } from '#server/kit/csv.ts'
import type { Cell } from '#server/kit/csv.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { databaseNow, inTransaction } from '#server/kit/db/db.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { onReplica } from '#server/kit/db/replica.ts'
import { claimWhile } from '#server/kit/http/claims.ts'
import { fileHeaders, mountFile } from '#server/kit/http/files.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { hour, limitRate } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'

const exportsPerHour = 10
const rowsPerPage = 1_000

type CsvParts<Filter, Item> = {
  /** The file's name before the date. */
  base: string
  /** The code of the staff action and of the activity. */
  action: string
  /** The filters of the list, as search parameters. */
  filter: z.ZodType<Filter, Record<string, unknown>>
  columns: readonly (readonly [header: string, cell: (item: Item) => Cell])[]
  /** One page of the rows, in the order of the screen. */
  readRows: (ctx: MemberCtx, input: Filter & PageInput) => Promise<Page<Item>>
}

export type CsvFile = Pick<CsvParts<unknown, unknown>, 'base' | 'action'> & {
  header: string
  /** Refuses BAD_FILTER for search parameters that the list does not have. */
  open: (search: Record<string, string>) => {
    /** Which filters were set, without what was searched for: that may name a person. */
    described: string
    read: (ctx: MemberCtx, cursor: string | undefined) => Promise<{ lines: string[]; next: string | null }>
  }
}

/** A list as a CSV file, with the columns in their order. */
export function csvFile<Filter extends object, Item>(of: CsvParts<Filter, Item>): CsvFile {
  return {
    base: of.base,
    action: of.action,
    header: csvRow(of.columns.map(([header]) => header)),
    open(search) {
      const filter = of.filter.safeParse(search)
      if (!filter.success) throw refuse('BAD_FILTER')
      return {
        described: describe(filter.data),
        async read(ctx, cursor) {
          const { items, next } = await onReplica(ctx, (ctx) =>
            of.readRows(ctx, { ...filter.data, cursor, limit: rowsPerPage }),
          )
          return { lines: items.map((item) => csvRow(of.columns.map(([, cell]) => cell(item)))), next }
        },
      }
    },
  }
}

function describe(filter: object): string {
  return Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => (name === 'search' ? name : `${name}=${String(value)}`))
    .join(' ')
}

/**
 * Mounts GET /api/admin/<name>.csv for each file: for admins who confirmed their identity, ten an hour and
 * one at a time, recorded with its filters and its number of rows.
 */
export function mountCsvFiles(app: HttpApp, files: Readonly<Record<CsvName, CsvFile>>): void {
  for (const [name, file] of Object.entries(files)) {
    // `entries` widens the names, which the type of `files` lists.
    mountFile(app, `/admin/${name as CsvName}.csv`, 'GET', async (ctx, c) => {
      // Another site's link must not start a download in an admin's name.
      if (!['same-origin', 'none', undefined].includes(c.req.header('sec-fetch-site'))) {
        throw refuse('FORBIDDEN')
      }
      await requireFresh(ctx)
      const body = await startExport(ctx, file, c.req.query())
      const day = (await databaseNow(ctx)).slice(0, 10)
      return new Response(body, {
        headers: fileHeaders({ type: 'text/csv; charset=utf-8', name: `${file.base}-${day}.csv` }),
      })
    })
  }
}

async function startExport(ctx: MemberCtx, file: CsvFile, search: Record<string, string>) {
  const { described, read } = file.open(search)
  const release = await claimExport(ctx)
  try {
    await limitRate(ctx.kit.db, `csv:${ctx.who.id}`, { hits: exportsPerHour, seconds: hour })
    await inTransaction(ctx, (ctx) =>
      recordStaffAction(ctx, { action: file.action, after: { filter: described } }),
    )
  } catch (error) {
    await release()
    throw error
  }
  return streamOf(ctx, {
    start: csvStart + file.header,
    read,
    async ended(how, rows) {
      await release()
      await recordActivity(ctx, file.action, { filter: described, rows })
      ctx.log.info(
        { memberId: ctx.who.id, action: file.action, filter: described, rows, how },
        'an export ended',
      )
    },
  })
}

/** Refuses TOO_MANY_REQUESTS while another export of the caller runs. */
async function claimExport({ kit, log, who }: MemberCtx): Promise<() => Promise<void>> {
  const release = await claimWhile({ db: kit.db, log }, `csv-running:${who.id}`)
  if (release) return release
  const reason = 'Another export of yours is still running. Try again when it has finished.'
  throw refuse('TOO_MANY_REQUESTS', { reason }, 10)
}

type Source = {
  start: string
  read: ReturnType<CsvFile['open']>['read']
  ended: (how: 'complete' | 'dropped' | 'failed', rows: number) => Promise<void>
}

/** Reads a page each time the browser has taken the one before. When it goes away, the query is cancelled. */
function streamOf(ctx: MemberCtx, { start, read, ended }: Source): ReadableStream<Uint8Array> {
  const dropped = new AbortController()
  const text = new TextEncoder()
  let begun = false
  let cursor: string | undefined
  let rows = 0
  let open = true

  async function end(how: 'complete' | 'dropped' | 'failed') {
    if (!open) return
    open = false
    await ended(how, rows).catch((err: unknown) =>
      ctx.log.error({ err }, 'the end of an export was not recorded'),
    )
  }

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { lines, next } = await onConnection(ctx, dropped.signal, (ctx) => read(ctx, cursor))
          if (dropped.signal.aborted) return
          rows += lines.length
          cursor = next ?? undefined
          controller.enqueue(text.encode((begun ? '' : start) + lines.join('')))
          begun = true
          if (next !== null) return
          await end('complete')
          controller.close()
        } catch (err) {
          if (dropped.signal.aborted) return
          ctx.log.error({ err }, 'an export failed')
          await end('failed')
          // The connection breaks, so that half a file is not taken for a whole one.
          controller.error(err)
        }
      },
      async cancel() {
        dropped.abort()
        await end('dropped')
      },
    },
    { highWaterMark: 0 },
  )
}

/** Runs a read on one connection, and cancels it there when `signal` aborts. */
function onConnection<T>(
  ctx: MemberCtx,
  signal: AbortSignal,
  work: (ctx: MemberCtx) => Promise<T>,
): Promise<T> {
  return ctx.kit.db.connection().execute(async (db) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
    let cancelling: Promise<unknown> = Promise.resolve()
    const cancel = () => {
      cancelling = sql`select pg_cancel_backend(${rows[0]?.pid})`
        .execute(ctx.kit.db)
        .catch((err: unknown) => ctx.log.warn({ err }, 'the query of an export could not be cancelled'))
    }
    signal.addEventListener('abort', cancel)
    try {
      signal.throwIfAborted()
      return await work({ ...ctx, db })
    } finally {
      signal.removeEventListener('abort', cancel)
      // Awaited before the connection serves another request, which it must not cancel.
      await cancelling
    }
  })
}

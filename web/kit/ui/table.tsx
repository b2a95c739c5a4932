import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode, RefCallback } from 'react'
import { cx } from './cx.ts'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { Skeleton } from './skeleton.tsx'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Use `right` for numbers, money and times. */
  align?: 'left' | 'right'
  sortable?: boolean
  /** CSS width, for columns of a fixed size. */
  width?: string
  /** Hidden below 640 px. */
  wide?: boolean
  /** The header is for screen readers only, for example over a menu button. */
  quiet?: boolean
}

export type Sort = { column: string; direction: 'asc' | 'desc' }

type TableProps<Row> = {
  /** Names the rows for screen readers and in the texts of the states, for example 'Users'. */
  caption: string
  columns: readonly Column<Row>[]
  /** Undefined while it loads. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** What each row's element gets, for example the keys of the list. `data-current` marks the current row. */
  rowProps?: (index: number) => RowProps
  sort?: Sort | null
  onSort?: (sort: Sort) => void
  /** Why the rows could not be loaded, null when they could: shown in their place. */
  error?: unknown
  /** By default '<caption> could not be loaded'. */
  failedTitle?: string
  onRetry?: () => void
  empty?: { icon: ReactNode; title: string; text?: string; action?: ReactNode }
  dense?: boolean
  /** The number of placeholder rows while it loads. */
  expected?: number
}

type RowProps = {
  ref: RefCallback<HTMLElement>
  tabIndex: number
  onFocus: () => void
  'data-current': true | undefined
}

/** A table with a sticky header. Its empty, failed and loading states are rows of the same table. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  rowProps,
  sort = null,
  onSort,
  error = null,
  failedTitle = `${caption} could not be loaded`,
  onRetry,
  empty,
  dense = false,
  expected = 5,
}: TableProps<Row>) {
  const failed = error !== null && rows === undefined
  const row = cx('border-b border-line last:border-b-0', dense ? 'h-10' : 'h-13')
  return (
    // On small screens the table scrolls sideways, not the page. It is focusable, so that arrow keys scroll
    // it.
    <section
      aria-label={caption}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-x-auto rounded-b-12 focus-visible:outline-offset-[-2px] lg:overflow-visible"
    >
      {rows === undefined && !failed ? <output className="sr-only">Loading {caption}</output> : null}
      <table
        className="w-full border-collapse text-14"
        aria-busy={rows === undefined && !failed ? true : undefined}
      >
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {failed ? (
            <tr>
              <td colSpan={columns.length}>
                <ErrorState level={3} title={failedTitle} onRetry={onRetry} error={error} />
              </td>
            </tr>
          ) : rows === undefined ? (
            Array.from({ length: expected }, (_, index) => (
              <tr key={index} className={row}>
                {columns.map((column) => (
                  <td key={column.id} className={cx('px-3 first:pl-5 last:pr-5', cellLook(column))}>
                    <Skeleton
                      className={cx('inline-block h-3.5', column.align === 'right' ? 'w-12' : 'w-3/5')}
                    />
                  </td>
                ))}
              </tr>
            ))
          ) : rows.length === 0 ? (
            <tr>
              <td colSpan={columns.length}>
                {empty ? (
                  <EmptyState level={3} icon={empty.icon} title={empty.title} action={empty.action}>
                    {empty.text}
                  </EmptyState>
                ) : (
                  <p className="px-5 py-12 text-center text-ink-2">Nothing to show.</p>
                )}
              </td>
            </tr>
          ) : (
            rows.map((item, index) => (
              <tr
                key={rowKey(item)}
                {...rowProps?.(index)}
                className={cx(
                  row,
                  'scroll-mt-28 scroll-mb-4 outline-offset-[-2px] transition-colors hover:bg-canvas',
                  'data-current:bg-canvas data-current:shadow-[inset_3px_0_var(--accent)]',
                  'forced-colors:data-current:outline-2',
                )}
              >
                {columns.map((column) => (
                  <td
                    key={column.id}
                    className={cx(
                      'px-3 text-ink first:pl-5 last:pr-5',
                      dense ? 'py-1.5' : 'py-2.5',
                      cellLook(column),
                    )}
                  >
                    {column.cell(item)}
                  </td>
                ))}
              </tr>
            ))
          )}
        </tbody>
      </table>
    </section>
  )
}

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: Sort | null
  onSort?: (sort: Sort) => void
}) {
  const mine = sort?.column === column.id ? sort.direction : null
  const Icon = mine === 'asc' ? ArrowUp : mine === 'desc' ? ArrowDown : ChevronsUpDown
  const canSort = column.sortable && onSort
  return (
    <th
      scope="col"
      aria-sort={mine === 'asc' ? 'ascending' : mine === 'desc' ? 'descending' : undefined}
      style={column.width ? { width: column.width } : undefined}
      className={cx(
        'sticky top-0 z-1 h-10 bg-canvas px-3 text-12 font-medium whitespace-nowrap text-ink-2 ' +
          'shadow-[inset_0_-1px_var(--line)] first:rounded-tl-12 first:pl-5 ' +
          'last:rounded-tr-12 last:pr-5 lg:top-(--topbar-height)',
        cellLook(column),
      )}
    >
      {canSort ? (
        <button
          type="button"
          onClick={() => onSort({ column: column.id, direction: mine === 'asc' ? 'desc' : 'asc' })}
          className={cx(
            '-mx-1.5 inline-flex h-7 items-center gap-1 rounded-6 px-1.5 hover:bg-pressed hover:text-ink',
            mine && 'text-ink',
            column.align === 'right' && 'flex-row-reverse',
          )}
        >
          {column.header}
          <Icon size={12} aria-hidden="true" />
        </button>
      ) : (
        <span className={column.quiet ? 'sr-only' : undefined}>{column.header}</span>
      )}
    </th>
  )
}

function cellLook<Row>(column: Column<Row>): string {
  return cx(
    column.align === 'right' ? 'tabular text-right whitespace-nowrap' : 'text-left',
    column.wide && 'max-sm:hidden',
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatNumber } from '#web/kit/time.ts'
import { Table } from '#web/kit/ui/table.tsx'
import { staffApi } from '../api.ts'
import { formatBytes } from './format.ts'
import { everyMs, Figures, Part } from './part.tsx'

/** The size of the database, its largest tables, and its slowest queries. */
export function DatabasePart() {
  const database = useQuery({ ...staffApi.health.getDatabase.queryOptions(), refetchInterval: everyMs.part })
  return (
    <Part title="Database" help="Its size, and where its time goes." query={database}>
      {({ version, bytes, connections, mostConnections, tables, slow, slowMissing }) => (
        <>
          <Figures
            figures={[
              { label: 'Size', value: formatBytes(bytes) },
              {
                label: 'Connections',
                value: `${formatNumber(connections)} of ${formatNumber(mostConnections)}`,
              },
              { label: 'PostgreSQL', value: version },
            ]}
          />
          <details className="border-t border-line px-5 py-3">
            <summary className="text-13 font-medium text-ink">Largest tables</summary>
            <div className="-mx-5 mt-2">
              <Table
                caption="Largest tables"
                dense
                rows={tables}
                rowKey={({ name }) => name}
                columns={[
                  { id: 'name', header: 'Table', cell: ({ name }) => name },
                  {
                    id: 'rows',
                    header: 'Rows, about',
                    align: 'right',
                    cell: ({ rows }) => formatNumber(rows),
                  },
                  {
                    id: 'bytes',
                    header: 'Size with indexes',
                    align: 'right',
                    cell: ({ bytes }) => formatBytes(bytes),
                  },
                ]}
              />
            </div>
          </details>
          <div className="border-t border-line px-5 py-4">
            <h3 className="text-13 font-medium text-ink">Slow queries</h3>
            {slowMissing ? (
              <p className="mt-1 max-w-reading text-13 text-ink-2">{howToSwitchOn[slowMissing]}</p>
            ) : (
              <div className="-mx-5 mt-2">
                <Table
                  caption="Slow queries"
                  dense
                  rows={slow}
                  rowKey={({ text }) => text}
                  columns={[
                    {
                      id: 'text',
                      header: 'Query',
                      cell: ({ text }) => (
                        <code className="line-clamp-2 max-w-xl font-mono text-12 wrap-anywhere">{text}</code>
                      ),
                    },
                    {
                      id: 'calls',
                      header: 'Calls',
                      align: 'right',
                      cell: ({ calls }) => formatNumber(calls),
                    },
                    {
                      id: 'mean',
                      header: 'Mean',
                      align: 'right',
                      cell: ({ meanMs }) => `${formatNumber(Number(meanMs.toFixed(1)))} ms`,
                    },
                    {
                      id: 'total',
                      header: 'Total',
                      align: 'right',
                      cell: ({ totalMs }) => `${formatNumber(Math.round(totalMs / 1000))} s`,
                    },
                  ]}
                />
              </div>
            )}
          </div>
        </>
      )}
    </Part>
  )
}

const howToSwitchOn: Record<'not_loaded' | 'not_created' | 'not_allowed', ReactNode> = {
  not_loaded: (
    <>
      PostgreSQL doesn’t count its queries. Add <code>pg_stat_statements</code> to its setting{' '}
      <code>shared_preload_libraries</code>, restart it, and run{' '}
      <code>create extension pg_stat_statements</code> in this database.
    </>
  ),
  not_created: (
    <>
      PostgreSQL counts its queries, but this database can’t read them. Run{' '}
      <code>create extension pg_stat_statements</code> in it.
    </>
  ),
  not_allowed: (
    <>
      The web process may not read <code>pg_stat_statements</code>. Run{' '}
      <code>grant pg_read_all_stats to evenhand_web</code>.
    </>
  ),
}

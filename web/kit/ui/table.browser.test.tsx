import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../kit.css'
import { KitRoot } from '../kit-root.tsx'
import { Table } from './table.tsx'
import type { Column } from './table.tsx'

type User = { id: string; name: string }

const columns: Column<User>[] = [
  { id: 'name', header: 'Name', sortable: true, cell: (user) => user.name },
  { id: 'role', header: 'Role', cell: () => 'User' },
]

test('a header sorts, then reverses the order, and announces how it sorts', async () => {
  const sorted = vi.fn()
  const table = (sort: { column: string; direction: 'asc' | 'desc' } | null) => (
    <KitRoot>
      <Table
        caption="Users"
        columns={columns}
        rows={[{ id: '1', name: 'Ada' }]}
        rowKey={(user) => user.id}
        sort={sort}
        onSort={sorted}
      />
    </KitRoot>
  )
  const { rerender } = await render(table(null))
  await page.getByRole('button', { name: 'Name' }).click()
  expect(sorted).toHaveBeenLastCalledWith({ column: 'name', direction: 'asc' })
  await rerender(table({ column: 'name', direction: 'asc' }))
  await expect
    .element(page.getByRole('columnheader', { name: 'Name' }))
    .toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('button', { name: 'Name' }).click()
  expect(sorted).toHaveBeenLastCalledWith({ column: 'name', direction: 'desc' })
})

test('a table that failed to load says so in its rows, with our log number, and offers a retry', async () => {
  const retried = vi.fn()
  await render(
    <KitRoot>
      <Table
        caption="Users"
        columns={columns}
        rows={undefined}
        rowKey={(user) => user.id}
        error={{ data: { reference: 'a-number-of-the-log' } }}
        onRetry={retried}
      />
    </KitRoot>,
  )
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Users could not be loaded' })).toBeVisible()
  await expect.element(page.getByText('a-number-of-the-log')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(retried).toHaveBeenCalledOnce()
})

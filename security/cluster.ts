// Once per run of these tests: a PostgreSQL cluster. Each file makes a database of its own in it.
import type { TestProject } from 'vitest/node'
import { openCluster } from '#server/testing/cluster.ts'

export default async function setup(project: TestProject) {
  const { connection, stop } = await openCluster()
  project.provide('postgres', connection)
  return stop
}

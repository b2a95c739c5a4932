// Runs once: starts a PostgreSQL cluster, and in it the product that the attack files share.
import type { TestProject } from 'vitest/node'
import { openCluster } from '#server/testing/cluster.ts'
import { startProduct } from './product.ts'
import type { Place } from './product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    product: Place
  }
}

export default async function setup(project: TestProject) {
  const { connection, stop } = await openCluster()
  const product = await startProduct(connection)
  project.provide('postgres', connection)
  project.provide('product', product.place)
  return async () => {
    await product.stop()
    await stop()
  }
}

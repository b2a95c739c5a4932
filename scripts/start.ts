// npm start: runs the whole product as production does, from a fresh clone to one printed address.
import { buildIfStale } from './build.ts'
import { runProduct } from './product.ts'
import { runScript } from './run.ts'

await runScript((ended) =>
  runProduct(
    {
      prepare: buildIfStale,
      nodeArgs: [],
      environment: { NODE_ENV: 'production' },
      onDeath: 'start-again',
      whenReady: () => Promise.resolve(),
    },
    ended,
  ),
)

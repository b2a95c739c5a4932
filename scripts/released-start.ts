// What `./evenhand start` runs, out of the archive that npm run release makes: the whole product, as it was
// built. The demo's payment sandbox is not in the archive.
import { runProduct } from './product.ts'
import { runScript } from './run.ts'

process.env.PAYMENT_SANDBOX = 'off'
await runScript((ended) =>
  runProduct(
    {
      prepare: () => Promise.resolve(),
      nodeArgs: [],
      environment: { NODE_ENV: 'production' },
      onDeath: 'start-again',
      whenReady: () => Promise.resolve(),
    },
    ended,
  ),
)

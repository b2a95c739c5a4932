// npm run dev: the product from its sources. Vite serves the web and proxies the rest. A change on the server
// restarts both processes.
import { join } from 'node:path'
import { createServer as createVite, type ViteDevServer } from 'vite'
import { freePort } from './free-port.ts'
import { runProduct } from './product.ts'
import { runScript } from './run.ts'

const watched = ['server', 'contract', 'db'].map((folder) => join(import.meta.dirname, '..', folder))

await runScript(async (ended) => {
  const webPort = await freePort()
  let vite: ViteDevServer | undefined
  try {
    return await runProduct(
      {
        prepare: () => Promise.resolve(),
        nodeArgs: ['--import', 'tsx'],
        // The loader takes its JSX settings from the server's tsconfig.
        environment: {
          NODE_ENV: 'development',
          EVENHAND_FROM: 'source',
          TSX_TSCONFIG_PATH: 'tsconfig.server.json',
        },
        onDeath: 'await-change',
        webPort,
        async whenReady(config, processes) {
          // vite.config.ts proxies to this address.
          process.env.EVENHAND_WEB_ORIGIN = `http://${config.host}:${webPort}`
          vite = await createVite({
            configFile: 'vite.config.ts',
            server: { host: config.host, port: config.port, strictPort: true },
          })
          await vite.listen()
          vite.watcher.add(watched)
          vite.watcher.on('change', (path) => {
            const ours = watched.some((folder) => path.startsWith(folder)) && !/\.test\.tsx?$/.test(path)
            if (ours) processes.restart()
          })
        },
      },
      ended,
    )
  } finally {
    await vite?.close()
  }
})

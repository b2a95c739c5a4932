// npm run types: writes db/schema.sql and db/types.ts from a freshly migrated, throwaway database.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSchema, describeTypes } from '#db/describe.ts'
import { migrate } from '#db/migrate.ts'
import { startEmbedded } from '#server/kit/postgres/postgres.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'evenhand-types-'))
const postgres = await startEmbedded({ dataDir, log: () => {}, throwaway: true })
try {
  await migrate(postgres.connection)
  await writeFile('db/schema.sql', await describeSchema(postgres.connection))
  await writeFile('db/types.ts', await describeTypes(postgres.connection))
  console.log('Wrote db/schema.sql and db/types.ts.')
} finally {
  await postgres.stop()
}

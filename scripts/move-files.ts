// npm run move-files -- to-bucket | to-disk [--remove]: copies all files between DATA_DIR and the bucket of
// the settings. Run again it goes on where it was. With --remove it then deletes what it has copied from
// where it was.
import { openDiskFiles } from '#server/kit/uploads/disk-files.ts'
import { StorageDown, StorageFull } from '#server/kit/uploads/files.ts'
import { openS3Files } from '#server/kit/uploads/s3-files.ts'
import { copyFiles, removeCopied } from '#server/kit/uploads/copy-files.ts'
import { StartError } from '#server/kit/start-error.ts'
import { openProgress, sizeOf } from './progress.ts'
import { runScript } from './run.ts'
import { readSettings } from './settings.ts'

await runScript(async (ended) => {
  const [way, ...options] = process.argv.slice(2)
  const isKnown = (way === 'to-bucket' || way === 'to-disk') && options.every((each) => each === '--remove')
  if (!isKnown) throw new StartError('Say where to: npm run move-files -- to-bucket, or to-disk.')
  const { config } = await readSettings()
  if (!config.s3)
    throw new StartError('S3_ENDPOINT and the settings that belong to it are missing: set all of them.')
  const [disk, bucket] = [openDiskFiles(config), openS3Files(config.s3)]
  const storages = way === 'to-bucket' ? { from: disk, to: bucket } : { from: bucket, to: disk }
  const progress = openProgress()
  const { copied, already, bytes } = await orSay(copyFiles, storages, {
    onProgress: ({ files, ofFiles, bytes, ofBytes }) =>
      progress.show(`${files} of ${ofFiles} files, ${sizeOf(bytes)} of ${sizeOf(ofBytes)}`, files, ofFiles),
    signal: ended,
  })
  progress.end()
  if (ended.aborted) {
    console.log('Interrupted. Run the same command again: it goes on where it was.')
    return 1
  }
  console.log(`${copied} files copied (${sizeOf(bytes)}), ${already} were there already.`)
  if (options.length > 0)
    console.log(`${await orSay(removeCopied, storages)} files removed from where they were.`)
  return 0
})

async function orSay<Given extends unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
  ...given: Given
): Promise<Result> {
  try {
    return await work(...given)
  } catch (error) {
    if (!(error instanceof StorageDown || error instanceof StorageFull)) throw error
    throw new StartError(
      `A storage could not go on: ${error.message}. Nothing is lost: ` +
        'mend it, then run the same command again.',
    )
  }
}

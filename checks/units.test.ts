// The systemd units of deploy/, as systemd's own tool rates them. Where it is not there, that is skipped.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const units = globSync('deploy/systemd/*.service')
const isHere = spawnSync('systemd-analyze', ['--version']).status === 0
const why = isHere ? '' : ' (skipped: systemd-analyze is not here)'

test.runIf(isHere).each(units)(`%s is rated with at most 1.5 of 10${why}`, (unit) => {
  const { stdout, stderr } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--no-pager', '--threshold=15', unit],
    { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
  )
  const level = /exposure level for .*: (\d+\.\d)/.exec(stdout)?.[1]
  expect(Number(level), `${stdout}${stderr}`).toBeLessThanOrEqual(1.5)
})

test('all units are hardened alike', () => {
  const hardened = units.map((unit) =>
    readFileSync(unit, 'utf8')
      .split(/# What it may do|\[Install\]/)[1]
      ?.trim(),
  )
  expect(units).toHaveLength(5)
  expect(new Set(hardened).size).toBe(1)
})

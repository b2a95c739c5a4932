import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openMachineSlots } from './machine-slots.ts'

test.runIf(process.platform === 'linux')('slots are shared by all who ask for them by name', async () => {
  const name = randomUUID()
  // To the kernel two of one process are like two of two processes.
  const both = [openMachineSlots(name, 2), openMachineSlots(name, 2)]
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await sleep(5)
    running -= 1
  }
  await Promise.all(both.flatMap((slots) => Array.from({ length: 10 }, () => slots.run(work))))
  expect(most).toBe(2)
  const others = openMachineSlots(randomUUID(), 1)
  await expect(others.run(() => Promise.reject(new Error('it fails')))).rejects.toThrow('it fails')
  expect(await others.run(async () => 'and lets go')).toBe('and lets go')
})

test.runIf(process.platform === 'linux')('a slot of a process that is killed is free again', async () => {
  const name = randomUUID()
  const holder = `const { createServer } = require('node:net')
    createServer().listen('\\0evenhand-${name}-0', () => console.log('held'))`
  const child = spawn(process.execPath, ['-e', holder])
  await once(child.stdout, 'data')
  let isRun = false
  const waiting = openMachineSlots(name, 1).run(async () => void (isRun = true))
  await sleep(50)
  expect(isRun).toBe(false)
  child.kill('SIGKILL')
  await waiting
  expect(isRun).toBe(true)
})

test.runIf(process.platform === 'linux')('work begins at last, when no process lets go', async () => {
  const name = randomUUID()
  const [one, other] = [openMachineSlots(name, 1), openMachineSlots(name, 1)]
  let letGo = () => {}
  const hanging = one.run(() => new Promise<void>((resolve) => (letGo = resolve)))
  expect(await other.run(async () => 'late')).toBe('late')
  letGo()
  await hanging
})

// For tests: the sandbox in their own process.
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'

/** Answers on a free port, and delivers failed webhooks again without long pauses. */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return openSandbox({ webhookPauseMs: 20, ...options })
}

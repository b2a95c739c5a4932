/**
 * Names a living process, so that a recycled pid is not mistaken for it. Undefined when there is none; a
 * zombie counts as none.
 */
export function processIdentity(pid?: number): string | undefined

/** Whether the process named by `processIdentity` still lives. */
export function isAlive(identity: string | undefined): boolean

/**
 * Runs `action` while no other process of this machine holds `folder`. It takes over a lock whose owner died,
 * and passes that to `action`.
 * Others wait up to `seconds`, then get an error whose code is `LOCK_BUSY`.
 */
export function withFolderLock<Result>(
  folder: string,
  options: { seconds: number; onWait?: () => void },
  action: (interrupted: boolean) => Promise<Result>,
): Promise<Result>

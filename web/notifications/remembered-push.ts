import { dropFromDevice, keepOnDevice, readFromDevice } from '#web/kit/tab-storage.ts'

const key = 'evenhand-push'

/** Remembers in this browser that this member wants push messages here; null ends that. */
export function rememberPush(memberId: string | null): void {
  if (memberId === null) dropFromDevice(key)
  else keepOnDevice(key, memberId)
}

/** Whether this member switched push messages on in this browser. */
export function wantsPush(memberId: string): boolean {
  return readFromDevice(key) === memberId
}

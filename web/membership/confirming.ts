import { refusalMessage } from '#web/kit/refusal-messages.ts'

/** Runs the action of a dialog. An error that was not written for people is replaced by one that is. */
export async function confirming(action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    throw new Error(refusalMessage(error, 'That didn’t work. Nothing was changed. Try again in a minute.'), {
      cause: error,
    })
  }
}

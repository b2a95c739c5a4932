/** Expected trouble at start. The message is one sentence for the operator that says what to do; entries print it alone and exit 1. */
export class StartError extends Error {
  override name = 'StartError'
}

/**
 * An expected problem at start. Its message is one sentence that says what to do; entries print
 * only that and exit 1.
 */
export class StartError extends Error {
  override name = 'StartError'
}

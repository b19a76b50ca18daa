/**
 * Thrown to end a call that would block the thread that answers requests. The call is rolled back, and the server runs it again
 * in another thread.
 */
export class HeavyCallError extends Error {
  override readonly name = 'HeavyCallError';

  constructor() {
    super('The call takes too long for the thread that answers requests.');
  }
}

/** Ends a call that would hold this thread for long. @throws HeavyCallError */
export function leaveThread(): never {
  throw new HeavyCallError();
}

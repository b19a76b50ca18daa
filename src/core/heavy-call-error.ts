/**
 * Thrown to end a call that takes long in the thread that others wait for. Nothing of it is done. The server has it done again by
 * another thread.
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

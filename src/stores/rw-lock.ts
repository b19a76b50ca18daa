/** A lock with any number of readers or one writer, in the order of arrival. */
export class RwLock {
  #alone: Promise<unknown> = Promise.resolve();
  #shared: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  /** A turn that waits inside for another of the same Turns never ends. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    this.#refuseClosed();
    const turn = this.#alone.then(work);
    this.#shared = Promise.allSettled([this.#shared, turn]).then(() => undefined);
    return turn;
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#refuseClosed();
    const turn = Promise.all([this.#alone, this.#shared]).then(work);
    this.#alone = turn.catch(() => undefined);
    return turn;
  }

  /** Takes no more turns, and ends when those before have ended. */
  close(): Promise<void> {
    this.#closed ??= this.alone(async () => undefined);
    return this.#closed;
  }

  #refuseClosed(): void {
    if (this.#closed !== undefined) throw new Error('The store is closed.');
  }
}

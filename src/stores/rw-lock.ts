/**
 * A read-write lock within this process. Many may hold it shared, or one exclusively, in the order of arrival. It is not
 * reentrant.
 */
export class RwLock {
  #exclusive: Promise<unknown> = Promise.resolve();
  #shared: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  /** Runs the work after all earlier exclusive work, concurrently with other shared work. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    this.#refuseClosed();
    const result = this.#exclusive.then(work);
    this.#shared = Promise.allSettled([this.#shared, result]).then(() => undefined);
    return result;
  }

  /** Runs the work after all earlier work. Later work waits for it. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    this.#refuseClosed();
    const result = Promise.all([this.#exclusive, this.#shared]).then(work);
    this.#exclusive = result.catch(() => undefined);
    return result;
  }

  /** Refuses new work, and resolves when all work has ended. */
  close(): Promise<void> {
    this.#closed ??= this.exclusive(async () => undefined);
    return this.#closed;
  }

  #refuseClosed(): void {
    if (this.#closed !== undefined) throw new Error('The store is closed.');
  }
}

/** Says which ids a core gives next, so that a copy has those of what is copied. */
export class IdQueue {
  #waiting: (string | undefined)[] = [];

  /** The id that is to be given now; undefined where any will do. */
  next(): string | undefined {
    return this.#waiting.shift();
  }

  /** Does work whose first new ids are these; undefined leaves one to the core. Nothing else may make ids meanwhile. */
  async withIds<T>(ids: readonly (string | undefined)[], work: () => Promise<T>): Promise<T> {
    this.#waiting = [...ids];
    try {
      return await work();
    } finally {
      this.#waiting = [];
    }
  }
}

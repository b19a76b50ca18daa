/** Counts the lines of what goes by: csv-parse counts an end of two characters in a cell twice. */
export class LineEnds {
  readonly #chunks: Buffer[] = [];
  /** Where the first chunk begins, and how far has been counted. */
  #begin = 0;
  #counted = 0;

  async *watch(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#chunks.push(chunk);
      yield chunk;
    }
  }

  /** The ends of lines from the place asked for before up to a later one. */
  countTo(end: number): number {
    let count = 0;
    while (this.#chunks.length > 0 && this.#counted < end) {
      const chunk = this.#chunks[0]!;
      const stop = Math.min(end - this.#begin, chunk.length);
      for (
        let at = chunk.indexOf(0x0a, this.#counted - this.#begin);
        at >= 0 && at < stop;
        at = chunk.indexOf(0x0a, at + 1)
      )
        count++;
      this.#counted = this.#begin + stop;
      if (stop < chunk.length) break;
      this.#begin += chunk.length;
      this.#chunks.shift();
    }
    return count;
  }
}

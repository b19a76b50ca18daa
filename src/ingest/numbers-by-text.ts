import { hash32 } from '../analysis/hash.ts';

/**
 * Numbers by text, from 0 to 4,294,967,294. It keeps 64-bit hashes instead of the texts, so that each text takes 16 to 32 bytes.
 * It can take two texts for the same one, but this happens less than once in a million files with a million texts.
 */
export class NumbersByText {
  /** Three values for each cell: the two halves of the hash, and the number plus 1; 0 if the cell is empty. */
  #cells = new Uint32Array(3 * 1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Whether the text has a number. */
  has(text: string): boolean {
    return this.#cells[this.#find(hash32(text, 1), hash32(text, 2)) + 2] !== 0;
  }

  /** Sets the number of a text. Returns its previous number, or undefined. */
  set(text: string, number: number): number | undefined {
    const [high, low] = [hash32(text, 1), hash32(text, 2)];
    const at = this.#find(high, low);
    const previous = this.#cells[at + 2]!;
    this.#cells.set([high, low, number + 1], at);
    if (previous !== 0) return previous - 1;
    if (++this.#size * 4 > this.#cells.length) this.#grow();
    return undefined;
  }

  /** Returns the place of the cell of a hash, or else of the empty cell for it. */
  #find(high: number, low: number): number {
    const cells = this.#cells;
    for (let at = (low % (cells.length / 3)) * 3; ; at = (at + 3) % cells.length)
      if (cells[at + 2] === 0 || (cells[at] === high && cells[at + 1] === low)) return at;
  }

  #grow(): void {
    const full = this.#cells;
    this.#cells = new Uint32Array(full.length * 2);
    for (let at = 0; at < full.length; at += 3)
      if (full[at + 2] !== 0)
        this.#cells.set(full.subarray(at, at + 3), this.#find(full[at]!, full[at + 1]!));
  }
}

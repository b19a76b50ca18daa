import { unpack } from './pack.ts';
import { type Measured, measured } from './vector.ts';

/** The vectors of rows in memory, each unpacked once for as long as its row is there. */
export class Unpacked {
  readonly #known = new WeakMap<object, Measured>();

  of(row: { readonly vector: string }): Measured {
    let vector = this.#known.get(row);
    if (vector === undefined) this.#known.set(row, (vector = measured(unpack(row.vector))));
    return vector;
  }
}

import type { ReadTransaction } from '../../core/store.ts';
import { nodes } from '../rows.ts';
import { HashSet } from './hash-set.ts';
import { referencesOf, type References } from './record-references.ts';

/** The blobs and nodes of tries that rows refer to, directly or through other nodes. */
export class Marks {
  readonly nodes = new HashSet();
  readonly blobs = new HashSet();
  /** Nodes that are marked, but not read yet. */
  readonly #open: string[] = [];

  /** How many nodes and blobs are marked. */
  get size(): number {
    return this.nodes.size + this.blobs.size;
  }

  /** Whether all that marked nodes refer to is marked as well. */
  get isWhole(): boolean {
    return this.#open.length === 0;
  }

  add({ blobs = [], roots = [] }: References): void {
    for (const hash of blobs) this.blobs.add(hash);
    for (const hash of roots) if (this.nodes.add(hash)) this.#open.push(hash);
  }

  /** Reads up to `most` nodes that were not read yet, and marks what they refer to; returns how many more could be read. */
  async follow(view: ReadTransaction, most: number): Promise<number> {
    let left = most;
    for (; left > 0; left--) {
      const id = this.#open.at(-1);
      if (id === undefined) return left;
      const node = await view.get(nodes, id);
      this.#open.pop();
      this.add(referencesOf(node));
    }
    return left;
  }
}

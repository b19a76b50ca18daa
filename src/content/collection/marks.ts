import type { ReadTransaction } from '../../core/store.ts';
import { nodes } from '../rows.ts';
import { HashSet } from './hash-set.ts';
import { referencesOf, type References } from './record-references.ts';

/** The blobs and trie nodes that rows refer to, directly or through other nodes. */
export class Marks {
  readonly nodes = new HashSet();
  readonly blobs = new HashSet();
  /** Marked nodes that are not read yet. */
  readonly #open: string[] = [];

  /** The number of marked nodes and blobs. */
  get size(): number {
    return this.nodes.size + this.blobs.size;
  }

  /** Whether everything that marked nodes refer to is marked too. */
  get isWhole(): boolean {
    return this.#open.length === 0;
  }

  add({ blobs = [], roots = [] }: References): void {
    for (const hash of blobs) this.blobs.add(hash);
    for (const hash of roots) if (this.nodes.add(hash)) this.#open.push(hash);
  }

  /** Reads up to `most` unread nodes, and marks what they refer to. Returns how many more could have been read. */
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

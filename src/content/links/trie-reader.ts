import type { ReadTransaction } from '../../core/store.ts';
import { readEntry, walkEntries } from '../trie.ts';

/** Reads a trie, each of its entries once; without a root it is empty. */
export class TrieReader<T extends { readonly id: string } = { readonly id: string }> {
  readonly #view: ReadTransaction;
  readonly #root: string | undefined;
  readonly #known = new Map<string, T | undefined>();

  constructor(view: ReadTransaction, root: string | undefined) {
    this.#view = view;
    this.#root = root;
  }

  async get(id: string): Promise<T | undefined> {
    if (this.#root === undefined) return undefined;
    if (!this.#known.has(id)) this.#known.set(id, await readEntry<T>(this.#view, this.#root, id));
    return this.#known.get(id);
  }

  /** The entries in the order of the trie, from a place on. */
  async *walk(from: string): AsyncGenerator<T> {
    if (this.#root !== undefined) yield* walkEntries<T>(this.#view, this.#root, from);
  }
}

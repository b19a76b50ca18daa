import { RecentMap } from '../core/recent-map.ts';

/** The most characters of JSON that a cache holds. Parsed, they take about three times as many bytes. */
const maxSize = 4 * 1024 * 1024;
/** The most characters of a row or list that is kept. Larger ones are mostly texts of pages, which few requests read again. */
const maxEntrySize = 64 * 1024;
/** The most characters of a key. Whoever writes the position in a list in many long ways must not fill the memory with them. */
const maxKey = 1000;
/** What an entry takes besides its JSON, in characters, about. */
const overhead = 200;

interface Entry {
  readonly value: unknown;
  readonly size: number;
}

/**
 * The rows and lists of rows that reads have parsed, kept as long as nothing in the store changes. Requests share them, so they
 * are frozen.
 */
export class RowCache {
  #entries = newEntries();
  #version: string | undefined;

  /** Forgets everything unless the version of the store is the one of the call before. */
  keepFor(version: string): void {
    if (version === this.#version) return;
    if (this.#version !== undefined) this.#entries = newEntries();
    this.#version = version;
  }

  /** Returns what is kept for a key; undefined if there is nothing. */
  get(key: string): unknown {
    return this.#entries.get(key)?.value;
  }

  /** Keeps a value that was made of so many characters of JSON, and freezes it. */
  set(key: string, value: unknown, size: number): void {
    if (size > maxEntrySize || key.length > maxKey) return;
    freeze(value);
    this.#entries.set(key, { value, size: size + key.length + overhead });
  }
}

function newEntries(): RecentMap<Entry> {
  return new RecentMap<Entry>(maxSize, ({ size }) => size);
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  // Without an object for each value, unlike Object.values.
  for (const key in value) freeze((value as Record<string, unknown>)[key]);
}

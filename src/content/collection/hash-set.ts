/** The number of 32-bit words that are kept of a hash: 128 of its 256 bits. */
const width = 4;

/**
 * A set of SHA-256 hashes. It keeps 128 bits of each in one array: 34 MB for a million hashes (51 MB while it grows). A Set of
 * texts would take three times as much.
 */
export class HashSet {
  #slots = new Uint32Array(1024 * width);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a hash of 64 hexadecimal digits. Returns false if it was already in the set. */
  add(hash: string): boolean {
    const words = readWords(hash);
    if (!insert(this.#slots, words)) return false;
    this.#size += 1;
    if (this.#size * width * 2 > this.#slots.length) this.#grow();
    return true;
  }

  has(hash: string): boolean {
    const words = readWords(hash);
    const at = findSlot(this.#slots, words);
    return !isEmpty(this.#slots, at);
  }

  #grow(): void {
    const larger = new Uint32Array(this.#slots.length * 2);
    for (let at = 0; at < this.#slots.length; at += width)
      if (!isEmpty(this.#slots, at)) insert(larger, this.#slots.subarray(at, at + width));
    this.#slots = larger;
  }
}

function insert(slots: Uint32Array, words: ArrayLike<number>): boolean {
  const at = findSlot(slots, words);
  if (!isEmpty(slots, at)) return false;
  slots.set(words, at);
  return true;
}

/** Returns the slot of a hash, or the empty slot where it belongs. */
function findSlot(slots: Uint32Array, words: ArrayLike<number>): number {
  const count = slots.length / width;
  let at = ((words[0] ?? 0) & (count - 1)) * width;
  while (!isEmpty(slots, at) && !isAt(slots, at, words)) at = (at + width) % slots.length;
  return at;
}

function isAt(slots: Uint32Array, at: number, words: ArrayLike<number>): boolean {
  for (let word = 0; word < width; word++) if (slots[at + word] !== words[word]) return false;
  return true;
}

/** The last word of a hash is never 0, so a 0 there marks an empty slot. */
function isEmpty(slots: Uint32Array, at: number): boolean {
  return slots[at + width - 1] === 0;
}

function readWords(hash: string): number[] {
  const words = [0, 8, 16, 24].map((start) => Number.parseInt(hash.slice(start, start + 8), 16) >>> 0);
  words[width - 1] = (words[width - 1] ?? 0) | 1;
  return words.map((word) => word >>> 0);
}

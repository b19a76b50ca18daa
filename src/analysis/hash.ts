/** Returns a 32-bit hash of a text (FNV-1a with the finalizer of MurmurHash3). Not for secrets. */
export function hash32(text: string, seed = 0): number {
  let hash = 2_166_136_261 ^ seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_917);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns a short ID that is the same for equal texts. */
export function textId(text: string): string {
  return [1, 2, 3].map((seed) => hash32(text, seed).toString(36).padStart(7, '0')).join('');
}

/** Returns a generator of numbers from 0 (included) to 1 (excluded) that are the same for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** 32 bits of a text, well spread (FNV-1a, finished as murmur3 does); not for secrets. */
export function hash32(text: string, seed = 0): number {
  let hash = 2_166_136_261 ^ seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_917);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A short name for a text: equal texts have equal names. */
export function nameOf(text: string): string {
  return [1, 2, 3].map((seed) => hash32(text, seed).toString(36).padStart(7, '0')).join('');
}

/** Returns a function that creates a value at its first call, and then always returns this value. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

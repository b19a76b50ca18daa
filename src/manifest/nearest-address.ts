import { nearest } from '../contract/nearest.ts';

/** The nearest address, for "did you mean"; of the same kind where there are any. */
export function nearestAddress(address: string, known: readonly string[]): string | undefined {
  const kind = address.slice(0, address.indexOf('.') + 1);
  const alike = known.filter((other) => other.startsWith(kind));
  return nearest(address, (alike.length === 0 ? known : alike).slice(0, 5000))[0];
}

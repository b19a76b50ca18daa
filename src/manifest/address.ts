import { nearest } from '../contract/nearest.ts';

/** Makes the address of a resource: `space.guide`, `section.docs/guide`, `site-space.docs/api/v2`. */
export function addressOf(kind: string, parent: string | undefined, name: string): string {
  const own = name.replace(/[%/\s]/g, encodeURIComponent);
  return `${kind}.${parent === undefined ? own : `${nameOf(parent)}/${own}`}`;
}

/** Returns the part of an address behind the kind. */
export function nameOf(address: string): string {
  return address.slice(address.indexOf('.') + 1);
}

/** Returns the nearest known address for "did you mean", of the same kind if there is any. */
export function nearestAddress(address: string, known: readonly string[]): string | undefined {
  const kind = address.slice(0, address.indexOf('.') + 1);
  const alike = known.filter((other) => other.startsWith(kind));
  return nearest(address, (alike.length === 0 ? known : alike).slice(0, 5000))[0];
}

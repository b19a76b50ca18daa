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

/**
 * Returns the known address that is most similar, for "did you mean". If there are addresses of the same kind, only their names
 * are compared.
 */
export function nearestAddress(address: string, known: readonly string[]): string | undefined {
  const kind = address.slice(0, address.indexOf('.') + 1);
  const names = known.filter((other) => other.startsWith(kind)).map(nameOf);
  if (kind === '' || names.length === 0) return nearest(address, known.slice(0, 5000))[0];
  const [close] = nearest(nameOf(address), names.slice(0, 5000));
  return close === undefined ? undefined : `${kind}${close}`;
}

/** The names that blocks can have, as a regular expression. */
export const namePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$';

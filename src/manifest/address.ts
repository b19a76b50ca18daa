/** How a resource of a manifest is called: `space.guide`, `section.docs/guide`, `site-space.docs/api/v2`. */
export function addressOf(kind: string, parent: string | undefined, name: string): string {
  const own = name.replace(/[%/\s]/g, encodeURIComponent);
  return `${kind}.${parent === undefined ? own : `${nameOf(parent)}/${own}`}`;
}

/** What follows the kind. */
export function nameOf(address: string): string {
  return address.slice(address.indexOf('.') + 1);
}

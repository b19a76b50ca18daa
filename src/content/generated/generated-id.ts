/** Returns the ID of the page that a generated page replaces, given the ID of the generated page; undefined for other IDs. */
export function seedOf(id: string): string | undefined {
  return /^(pag_\w+)-[\da-f]{12}$/.exec(id)?.[1];
}

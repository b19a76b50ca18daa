/** Returns the slug that a specification gets if none is given: the name of its file without the extension; empty if it has no letter from A to Z and no digit. */
export function slugOfFile(address: string): string {
  return address
    .replace(/[?#].*$/, '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.(json|ya?ml)$/i, '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);
}

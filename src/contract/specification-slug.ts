/**
 * Returns the slug that a specification gets if none is given: the name of its file without the extension. Empty for a web address,
 * whose name says little, and if the name has no letter from A to Z and no digit.
 */
export function slugOfFile(path: string): string {
  if (/^(?:[a-z][a-z\d+.-]+:|\/\/)/i.test(path)) return '';
  return path
    .replace(/[?#].*$/, '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.(json|ya?ml)$/i, '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);
}

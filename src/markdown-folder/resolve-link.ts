import { posix } from 'node:path';

/** The path that a link in a file leads to, inside the folder; undefined where it leads out of it or to the web. */
export function resolveLink(from: string, link: string): string | undefined {
  const target = link.replace(/[?#].*$/s, '');
  if (target === '' || isWebAddress(target)) return undefined;
  let decoded = target;
  try {
    decoded = decodeURIComponent(target);
  } catch {
    // A "%" that is meant as such.
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
  const path = decoded.startsWith('/') ? posix.normalize(decoded.slice(1)) : posix.normalize(posix.join(posix.dirname(from), decoded));
  return isInside(path) ? path : undefined;
}

/** Whether a normalized relative path stays where it begins. */
export function isInside(path: string): boolean {
  return path !== '..' && !path.startsWith('../') && !path.startsWith('/');
}

/** Whether a target has a scheme or a host, and so is no path. */
export function isWebAddress(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target);
}

/** The link that leads from a file to another, in a form that `resolveLink` and Markdown read back. */
export function linkTo(from: string, path: string): string {
  const relative = posix.relative(posix.dirname(from), path);
  const encoded = relative.replace(/[%?#<>()\s\\"]/g, (character) => encodeURIComponent(character).replace(/[()]/g, (each) => (each === '(' ? '%28' : '%29')));
  return isWebAddress(encoded) ? `./${encoded}` : encoded;
}

/** Everything that a text links to or shows, as it is written. */
export function* linksOf(body: string): Generator<string> {
  for (const match of body.matchAll(/\]\(\s*(?:<([^>\n]{1,1024})>|([^\s)]{1,1024}))/g)) yield unescapeMarkdown(match[1] ?? match[2]!);
  for (const match of body.matchAll(/(?:src|href|url)="([^"\n]{1,1024})"/g)) yield match[1]!;
}

/** Markdown text without the backslashes in front of punctuation. */
export function unescapeMarkdown(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

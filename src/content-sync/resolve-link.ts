import { posix } from 'node:path';
import { scanLinks } from '../richtext/scan-links.ts';

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
  const path = decoded.startsWith('/')
    ? posix.normalize(decoded.slice(1))
    : posix.normalize(posix.join(posix.dirname(from), decoded));
  return isInside(path) ? path : undefined;
}

/** Every path that a link in a file may lead to: one that begins with "/" leads into the folder or below the root of the documentation. */
export function placesOf(from: string, link: string, root: string): string[] {
  const path = resolveLink(from, link);
  if (path === undefined) return [];
  return link.startsWith('/') && root !== '' ? [path, posix.join(root, path)] : [path];
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
  const encoded = relative.replace(/[%?#<>()\s\\"]/g, (character) =>
    encodeURIComponent(character).replace(/[()]/g, (each) => (each === '(' ? '%28' : '%29')),
  );
  return isWebAddress(encoded) ? `./${encoded}` : encoded;
}

/** Everything that a text links to or shows, and more: code that looks like a link, so that no file is missed. */
export function* linksOf(body: string, frontMatter = ''): Generator<string> {
  for (const match of body.matchAll(/\]\(\s*(?:<([^>\n]{1,1024})>|([^\s)]{1,1024}))/g))
    yield unescapeMarkdown(match[1] ?? match[2]!);
  // Most pages have none of what the others look for, and looking is dear.
  if (body.includes('='))
    for (const match of body.matchAll(
      /\b(?:src|href|url|srcset|poster|data)\s?=\s?(?:"([^"\n]{1,1024})"|'([^'\n]{1,1024})')/gi,
    ))
      yield match[1] ?? match[2]!;
  if (body.includes(']:'))
    for (const match of body.matchAll(
      /^ {0,3}\[[^\]\n]{1,999}\]:[ \t]*(?:<([^>\n]{1,1024})>|(\S{1,1024}))/gm,
    ))
      yield unescapeMarkdown(match[1] ?? match[2]!);
  // Parentheses in a target, and lists of images.
  if (/\]\(\s*[^\s()]{0,1024}\(|srcset/i.test(body)) for (const { href } of scanLinks(body)) yield href;
  for (const match of frontMatter.matchAll(
    /^cover\w{0,20}:[ \t]*(?:>-?[ \t]*\r?\n[ \t]+)?["']?([^"'\r\n]{1,1024})/gm,
  ))
    yield match[1]!.trim();
}

/** Markdown text without the backslashes in front of punctuation. */
export function unescapeMarkdown(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

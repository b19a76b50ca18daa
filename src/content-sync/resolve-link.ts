import { posix } from 'node:path';
import { normalizeHref, resolveHref } from '../content/links/link-targets.ts';
import { decodePercent } from '../contract/values.ts';
import { scanLinks } from '../richtext/scan-links.ts';

/** Returns the path inside the folder for a link in a file; undefined if it leads outside or to the web. */
export function resolveLink(from: string, link: string): string | undefined {
  const target = normalizeHref(link).replace(/[?#].*$/s, '');
  if (target === '' || isWebAddress(target)) return undefined;
  const decoded = decodePercent(target) ?? target;
  if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
  const path = decoded.startsWith('/')
    ? posix.normalize(decoded.slice(1))
    : posix.normalize(posix.join(posix.dirname(from), decoded));
  return isInside(path) ? path : undefined;
}

/** The folders whose files other tools put at the root of a site. */
const publicFolders = ['static', 'website/static', 'public'];

/**
 * Returns all paths that a link in a file may lead to. A link with a leading "/" is relative to the folder, to the root of the
 * documentation, or to a folder whose files other tools put at the root of a site.
 */
export function linkTargets(from: string, link: string, root: string): string[] {
  if (isWebAddress(link)) return [];
  const path = resolveLink(from, link);
  const target = /\.\w{1,8}(?:[?#]|$)/.test(link) ? resolveHref('', { git: from }, link) : undefined;
  const others = target?.kind === 'name' ? (target.others ?? []) : [];
  const paths = others.map((name) => name.slice('path:'.length)).filter(isInside);
  if (path !== undefined) paths.unshift(path);
  if (!link.startsWith('/')) return paths;
  return paths.flatMap((each) =>
    ['.', root, ...publicFolders, posix.join(root, '.vuepress/public'), posix.join(root, 'public')].map(
      (folder) => posix.join(folder, each),
    ),
  );
}

/** Whether a normalized relative path stays below its start. */
export function isInside(path: string): boolean {
  return path !== '..' && !path.startsWith('../') && !path.startsWith('/');
}

/** Whether a link target has a scheme or a host and is therefore not a path. */
export function isWebAddress(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target);
}

/** Returns a link from one file to another that `resolveLink` and Markdown can parse. */
export function relativeLink(from: string, path: string): string {
  const relative = posix.relative(posix.dirname(from), path);
  const encoded = relative.replace(/[%?#<>()\s\\"]/g, (character) =>
    encodeURIComponent(character).replace(/[()]/g, (each) => (each === '(' ? '%28' : '%29')),
  );
  return isWebAddress(encoded) ? `./${encoded}` : encoded;
}

/** Yields the targets of all links and images in a text, including code that looks like a link, so that no file is missed. */
export function* findLinks(body: string, frontMatter = ''): Generator<string> {
  for (const [, bracketed, plain = ''] of body.matchAll(/\]\(\s*(?:<([^>\n]{1,1024})>|([^\s)]{1,1024}))/g))
    yield unescapeMarkdown(bracketed ?? plain);
  // Most pages have none of the following, and searching for them is expensive.
  if (body.includes('='))
    for (const [, doubleQuoted, singleQuoted = ''] of body.matchAll(
      /\b(?:src|href|url|srcset|poster|data)\s?=\s?(?:"([^"\n]{1,1024})"|'([^'\n]{1,1024})')/gi,
    ))
      yield doubleQuoted ?? singleQuoted;
  if (body.includes(']:'))
    for (const [, bracketed, plain = ''] of body.matchAll(
      /^ {0,3}\[[^\]\n]{1,999}\]:[ \t]*(?:<([^>\n]{1,1024})>|(\S{1,1024}))/gm,
    ))
      yield unescapeMarkdown(bracketed ?? plain);
  // For targets with parentheses, `srcset` with several images, and tags of MDX.
  if (/\]\(\s*[^\s()]{0,1024}\(|srcset|=\{|<(?:Image|Link)\s/i.test(body))
    for (const { href } of scanLinks(body)) yield href;
  for (const [, cover = ''] of frontMatter.matchAll(
    /^cover\w{0,20}:[ \t]*(?:>-?[ \t]*\r?\n[ \t]+)?["']?([^"'\r\n]{1,1024})/gm,
  ))
    yield cover.trim();
}

/** Removes the backslashes before punctuation from Markdown text. */
export function unescapeMarkdown(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

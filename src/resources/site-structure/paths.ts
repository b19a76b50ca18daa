import { invalid } from '../../errors/problem.ts';

/** Converts a title to a path segment: lower-case words with hyphens, or `otherwise` if nothing remains. */
export function slugOf(title: string, otherwise: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  const slug = [...(words ?? []).join('-')].slice(0, 60).join('').replace(/-$/, '');
  return slug === '' ? otherwise : slug;
}

/** Paths of a site that are used for its own files and pages. */
export const reservedPaths: readonly string[] = [
  '404.html',
  'llms-full.txt',
  'llms.txt',
  'robots.txt',
  'sitemap-pages.xml',
  'sitemap.xml',
];

/** Folders of a site, and of each space on it, that are used for its own files and pages. */
export const reservedFolders: ReadonlySet<string> = new Set(['~assets', '~files', '~gitbook']);

/**
 * Whether a site has something of its own at a path relative to the site, or to a space on it: a folder such as ~gitbook, or a
 * file such as llms.txt.
 */
export function isReservedPath(path: string, { inSpace = false }: { inSpace?: boolean } = {}): boolean {
  const [first = '', ...rest] = path.split('/');
  if (reservedFolders.has(first)) return true;
  const name = first.toLowerCase().replace(/^(sitemap-pages)-\d+/, '$1');
  return rest.length === 0 && (inSpace ? name === 'sitemap-pages.xml' : reservedPaths.includes(name));
}

/** Checks that a section or space may use a path. @throws Problem(invalid-input) for a reserved path such as llms.txt */
export function checkPathAllowed(path: string): void {
  if (!isReservedPath(path) && !path.startsWith('~')) return;
  throw invalid(
    '/body/path',
    `Sites use the path "${path}" for something else.`,
    'Choose a path of letters, digits and hyphens, such as `guides`.',
  );
}

/** Finds the item at a path. Readers may write paths in other capitals, so capitals do not count. */
export function findByPath<T extends { path: string }>(items: readonly T[], path: string): T | undefined {
  return items.find((item) => item.path.toLowerCase() === path.toLowerCase());
}

/** Returns a free path: the slug, otherwise the slug with a number from 2 to 9, otherwise the slug with a part of the id. */
export async function freePath(
  slug: string,
  id: string,
  isTaken: (path: string) => Promise<boolean>,
): Promise<string> {
  for (const path of [slug, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${slug}-${number}`)]) {
    if (!(await isTaken(path))) return path;
  }
  return `${slug}-${id.slice(-10).toLowerCase()}`;
}

/** Encodes a text as one segment of an address. */
export function segmentOf(text: string): string {
  const encoded = encodeURIComponent(text);
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%252E') : encoded;
}

/** Encodes the path of a page in the form of addresses and sources of redirects. */
export function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) => segmentOf(segment).replace(/[!'()*]/g, encodeCharacter))
    .join('/');
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

import type { Static } from '../contract/schema.ts';
import { decodePercent } from '../contract/values.ts';
import { isHiddenPath } from '../files/hidden.ts';
import type { SitePath } from '../resources/site-paths/contract.ts';

export type ListedPath = Static<typeof SitePath>;

interface StaticPlace {
  readonly file: string;
  /** The address that a reader opens, below the root of the site. */
  readonly address: string;
}

/** The path of the search page. */
export const searchPath = '~gitbook/search';

/** Maps the paths of a site to files of a folder. */
export class StaticPaths {
  /** The path of the site on its host. Ends with a slash. */
  readonly base: string;
  readonly #places = new Map<string, StaticPlace>();

  constructor(base: string, paths: readonly ListedPath[]) {
    this.base = base;
    let branches = 0;
    for (const { path, kind, key } of paths) {
      const place =
        kind === 'branch'
          ? sameAs(`~navigation/${++branches}.js`)
          : placeOf(path.replace(/\/$/, ''), kind, key);
      if (place === undefined) continue;
      this.#places.set(path, place);
      if (kind !== 'page') continue;
      for (const beside of [markdownOf(path), feedOf(path)]) {
        const besidePlace = sameAs(beside);
        if (besidePlace !== undefined) this.#places.set(beside, besidePlace);
      }
    }
  }

  /** Returns the place of a path of the site; undefined if the folder does not contain it. */
  find(path: string): StaticPlace | undefined {
    return this.#places.get(path);
  }

  /**
   * Returns the address, below the root of the site, for a link from the root of the host. Returns undefined for a link to
   * another host, or to another site on this host.
   */
  addressOf(link: string): string | undefined {
    if (!link.startsWith(this.base) || link.startsWith('//')) return undefined;
    const [, path = '', query = '', anchor = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(link) ?? [];
    const below = path.slice(this.base.length);
    const place = this.#places.get(below + query) ?? this.#places.get(below);
    if (place !== undefined) return place.address + anchor;
    // If another version does not have the page, the link leads to its first page.
    return query === '?fallback=true' ? this.#firstAbove(below) : below + query + anchor;
  }

  #firstAbove(path: string): string {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const place = this.#places.get(path.slice(0, at + 1));
      if (place !== undefined) return place.address;
    }
    return '';
  }
}

/** Returns the path of the Markdown of a page. */
export function markdownOf(path: string): string {
  return path === '' || path.endsWith('/') ? `${path}index.md` : `${path}.md`;
}

/** Returns the path of the feed of a page with updates. */
export function feedOf(path: string): string {
  return path === '' || path.endsWith('/') ? `${path}rss.xml` : `${path}/rss.xml`;
}

/** Returns an address relative to the page at another one. Both are below the root of the site. */
export function relativeAddress(from: string, to: string): string {
  const folders = from.split('/').slice(0, -1);
  const [path = '', anchor = ''] = splitAnchor(to);
  const target = path.split('/');
  let common = 0;
  while (common < folders.length && common < target.length - 1 && folders[common] === target[common])
    common++;
  const up = '../'.repeat(folders.length - common);
  const rest = up + target.slice(common).join('/');
  if (path === from && anchor !== '') return anchor;
  // A colon in the first segment would be read as a scheme.
  return (rest === '' || /^[^/]*:/.test(rest) ? `./${rest}` : rest) + anchor;
}

function splitAnchor(address: string): readonly [string, string] {
  const at = address.indexOf('#');
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
}

function placeOf(path: string, kind: ListedPath['kind'], key: string): StaticPlace | undefined {
  if (path === searchPath) return placeOf('~search', 'page', key);
  if (kind === 'page' || kind === 'redirect') {
    if (path.includes('*')) return undefined;
    const place = sameAs(path);
    if (place === undefined) return undefined;
    return path === ''
      ? { file: 'index.html', address: '' }
      : { file: `${place.file}/index.html`, address: `${place.address}/` };
  }
  // File IDs differ between stores, so the name comes from the content.
  if (kind === 'file')
    return sameAs(`~files/${key.slice(0, 12)}/${harmlessName(path.slice(path.lastIndexOf('/') + 1))}`);
  return sameAs(path);
}

/**
 * Returns a file name whose extension is harmless, because hosts derive the content type from it. Uploaded files must not run as
 * a page or a script.
 */
function harmlessName(name: string): string {
  return /\.(?:[mc]?js|x?html?|shtml?|xht|xml|xslt?|mht(?:ml)?|htc|php|asp|jsp|cgi|swf)$/i.test(name)
    ? `${name}.txt`
    : name;
}

/** Returns the place of a path below the root; undefined if it leads out of the folder. */
function sameAs(path: string): StaticPlace | undefined {
  const address = path.split('/').map(toVisible).join('/');
  const file = fileAt(address);
  return file === undefined ? undefined : { file, address };
}

/** Puts a "~" before a hidden name, because servers and tools read settings from hidden files, such as .htaccess. */
function toVisible(encoded: string): string {
  return isHiddenPath(decodePercent(encoded) ?? encoded) ? `~${encoded}` : encoded;
}

/** Returns the file of a path, decoded once, as servers do; undefined if it leads out of the folder. */
function fileAt(path: string): string | undefined {
  const segments: string[] = [];
  for (const encoded of path.split('/')) {
    const segment = decodePercent(encoded);
    if (segment === undefined) return undefined;
    if (path !== '' && (/[/\\\0]/.test(segment) || /^\.{0,2}$/.test(segment))) return undefined;
    segments.push(segment);
  }
  return segments.join('/');
}
